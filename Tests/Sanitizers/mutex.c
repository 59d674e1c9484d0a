// Tells the thread sanitizer about the waiting of Swift's Mutex.
//
// Mutex of the Synchronization library takes and gives back a free lock with atomic operations in the caller's code, which
// the sanitizer sees. Where threads meet, it goes on in the library, which is not instrumented: there a lock changes hands
// unseen, and all that it guards is reported as a race. These two functions stand in front of the library's, in every
// program that is linked with this object, and say what happens there.
//
// The names are those of Synchronization._MutexHandle._lockSlow(_: UInt32) and ._unlockSlow(); a library without them
// ends the program at the first contended lock, with a message.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*unlock_function)(SELF void *handle);

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        fprintf(stderr, "Tests/Sanitizers/mutex.c: the Synchronization library has no %s\n", name);
        abort();
    }
    return found;
}

SWIFT void entitled_lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void entitled_lock(uint32_t thread, SELF void *handle)
{
    ((lock_function)real(LOCK))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void entitled_unlock(SELF void *handle) __asm__(UNLOCK);
SWIFT void entitled_unlock(SELF void *handle)
{
    __tsan_release(handle);
    ((unlock_function)real(UNLOCK))(handle);
}
