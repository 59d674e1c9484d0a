// The whole C boundary to OpenSSL's libcrypto. Inline functions exist only for what Swift cannot import.
#pragma once
#include <openssl/crypto.h>
