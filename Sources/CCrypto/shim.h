// The system's libcrypto, and the parts that Swift cannot import.
#ifndef ARTWORK_CCRYPTO_SHIM_H
#define ARTWORK_CCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

// OPENSSL_INIT_NO_ATEXIT is a macro with a cast. 1 for success.
static inline int artwork_crypto_keep_at_exit(void) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

#endif
