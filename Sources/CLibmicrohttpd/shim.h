// The whole C boundary to libmicrohttpd. Inline functions exist only for what Swift cannot import.
#pragma once
#include <microhttpd.h>
