export interface NetworkFailure {
  /** Such as `ECONNREFUSED`; empty when unknown. Holds no address, header or body. */
  readonly code: string
  /** A readable reason, without values of the request. */
  readonly why: string
  /** The request certainly reached no server: a retry is safe. */
  readonly neverLeft: boolean
}

/** The code of a request that HTTP cannot write, such as a header with a letter beyond Latin 1. */
export const UNWRITABLE_CODE = 'UND_ERR_INVALID_ARG'

/** Errors before the first byte of a request is written, by code. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'the name server did not answer',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  EADDRNOTAVAIL: 'this machine has no address or port left',
  EMFILE: 'this process has no file descriptor left',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  [UNWRITABLE_CODE]: 'the request cannot be written; look at its headers',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate has an unknown issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}

/** Common errors that may come after the server has acted. */
const PERHAPS_SENT: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  ECONNABORTED: 'the exchange was broken off',
  EPIPE: 'the connection was closed while sending',
  ETIMEDOUT: 'nothing came back in time',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is shorter or longer than announced',
}

/** Reads an error of undici, axios or Node. Unknown errors count as perhaps sent. */
export function networkFailure(error: unknown): NetworkFailure {
  const { code: raw, syscall, cause } = (error ?? {}) as { code?: unknown; syscall?: unknown; cause?: unknown }
  const code = typeof raw === 'string' ? raw : ''
  const words = BEFORE_SENDING[code]
  if (words) return { code, why: `${words} (${code})`, neverLeft: true }
  // A connect timeout has the same code as an answer timeout; the system call distinguishes them.
  const atConnect = syscall === 'connect' || (cause as { syscall?: unknown } | undefined)?.syscall === 'connect'
  if (atConnect) return { code, why: `no connection (${code})`, neverLeft: true }
  if (code.startsWith('HPE_')) return { code, why: `the answer is not HTTP (${code})`, neverLeft: false }
  const why = PERHAPS_SENT[code] ?? 'the exchange failed'
  return { code, why: code === '' ? why : `${why} (${code})`, neverLeft: false }
}
