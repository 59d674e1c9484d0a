// The whole C boundary to libzstd. Only the stable part of its interface is used.
#pragma once

#include <zstd.h>
