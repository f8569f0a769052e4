import { deniedAddressCode } from './address-guard.ts'
import { EgressError, type EgressErrorKind } from './errors.ts'

const byCode: Record<string, [EgressErrorKind, string]> = {
  [deniedAddressCode]: ['refused_address', 'this is not a public IP address'],
  ENOTFOUND: ['dns', 'the name does not resolve'],
  EAI_AGAIN: ['dns', 'the name cannot be resolved now'],
  EAI_FAIL: ['dns', 'the name cannot be resolved'],
  EAI_NODATA: ['dns', 'the name has no IP address'],
  ECONNREFUSED: ['connect', 'the connection was refused'],
  EHOSTUNREACH: ['connect', 'the host cannot be reached'],
  EHOSTDOWN: ['connect', 'the host cannot be reached'],
  ENETUNREACH: ['connect', 'the network cannot be reached'],
  EADDRNOTAVAIL: ['connect', 'no connection can be made'],
  EACCES: ['connect', 'no connection can be made'],
  EMFILE: ['connect', 'no connection can be made now'],
  ETIMEDOUT: ['connect', 'no connection in time'],
  UND_ERR_CONNECT_TIMEOUT: ['connect', 'no connection in time'],
  UND_ERR_PRX_CONN: ['connect', 'the proxy made no connection'],
  // We abort with errors of our own; this one is the proxy's.
  UND_ERR_ABORTED: ['connect', 'the proxy made no connection'],
  // Only tunnels have this timeout.
  UND_ERR_HEADERS_TIMEOUT: ['connect', 'the proxy made no connection in time'],
  UND_ERR_PRX_TLS: ['tls', 'the certificate of the proxy is not accepted'],
  ECONNRESET: ['reset', 'the connection broke'],
  EPIPE: ['reset', 'the connection broke'],
  UND_ERR_SOCKET: ['reset', 'the connection broke'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'protocol',
    'the length of the response differs from its content-length',
  ],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'the headers of the response are too large'],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: [
    'protocol',
    'the request cannot be sent: content-length is not the length of the body',
  ],
  UND_ERR_NOT_SUPPORTED: ['protocol', 'the request cannot be sent: the header `expect` is not supported'],
  UND_ERR_CLOSED: ['aborted', 'the server is stopping'],
  UND_ERR_DESTROYED: ['aborted', 'the server is stopping'],
  EPROTO: ['tls', 'no TLS connection can be made'],
}

// Texts of undici about requests that it does not send. The variable part is a header name, never a value.
const safeReason =
  /^(invalid (?:request (?:path|method)|header key|[!#$%&'*+.^_`|~\w-]{1,64} header)|duplicate (?:host|content-length) header|Proxy Authentication Required \(407\))$/

/** Converts errors of undici, of the resolver and of TLS. Their codes are used only here. */
export function toEgressError(error: unknown, label: string): EgressError {
  if (error instanceof EgressError) return error
  const { name, code = '', message = '' } = error as Partial<NodeJS.ErrnoException>
  const [kind, text] = byCode[code] ?? other(name === 'HTTPParserError' ? 'HPE_' : code, message)
  const fix = code === deniedAddressCode ? `; an administrator can allow it with ${allowSetting(label)}` : ''
  return new EgressError(kind, `${label}: ${text}${fix}.`, { cause: error })
}

/**
 * The setting, with the value to add where the label is the host and port of the request. Metadata services of
 * clouds are at link-local IP addresses: no value is offered for those.
 */
const allowSetting = (label: string): string =>
  /^(?!169\.254\.)([\w.-]+|\[[\da-fA-F:]+\])(:\d+)?$/.test(label) ? `EGRESS_ALLOW=${label}` : 'EGRESS_ALLOW'

function other(code: string, message: string): [EgressErrorKind, string] {
  if (code === 'UND_ERR_INVALID_ARG') {
    const reason = safeReason.exec(message)?.[1]
    return ['protocol', reason ? `the request cannot be sent: ${reason}` : 'the request cannot be sent']
  }
  if (code.startsWith('HPE_')) return ['protocol', 'the response is not valid HTTP']
  if (isTls(code)) return ['tls', `the certificate or the TLS handshake is not accepted (${code})`]
  return ['reset', 'the request failed']
}

/** Starts of the error codes of Node and OpenSSL for certificates and TLS handshakes. */
const TLS_CODES = [
  'ERR_TLS_',
  'ERR_SSL_',
  'CERT_',
  'CRL_',
  'DEPTH_ZERO_',
  'SELF_SIGNED_',
  'UNABLE_TO_',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  'PATH_LENGTH_',
]

const isTls = (code: string): boolean => TLS_CODES.some((start) => code.startsWith(start))
