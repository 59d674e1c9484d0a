// The whole C boundary to libpq. Inline functions exist only for what Swift cannot import.
#pragma once
#include <libpq-fe.h>
