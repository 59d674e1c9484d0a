// The whole C boundary to libmicrohttpd. Inline functions exist only for what Swift cannot import.
#pragma once
#include <microhttpd.h>
// The TLS of libmicrohttpd is GnuTLS, whose sessions it hands out; its development package depends on GnuTLS's.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

// MHD_start_daemon is variadic, which Swift does not import. Everything variable goes through the option array.
static inline struct MHD_Daemon *
entitled_mhd_start(unsigned int flags, MHD_AccessHandlerCallback handler, void *closure,
                   struct MHD_OptionItem *options)
{
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, closure, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic, though it reads no further argument for any kind of information used here.
static inline const union MHD_ConnectionInfo *
entitled_mhd_connection_info(struct MHD_Connection *connection, enum MHD_ConnectionInfoType type)
{
    return MHD_get_connection_info(connection, type);
}
