import { parseBoundedJsonOrUndefined } from '../../../../platform/bounded-json.ts'

/** A request of an application to an address of ours, as it came. Header names are lower case. */
export interface IncomingDeliveryRequest {
  readonly method: string
  /** The whole address as the application knows it, query included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly raw: Buffer
}

/** A request as paths of a manifest see it. */
export interface IncomingDelivery {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly raw: Buffer
  /** JSON, the members of a form, or undefined where it is neither; read when it is first asked for. */
  readonly body: unknown
  /** Pairs of a form in the order they came; none where it is no form. */
  readonly form: readonly (readonly [string, string])[]
}

const FORM_FIELDS_MAX = 1_000
const FORM = 'application/x-www-form-urlencoded'

/** Parses the body only on demand: most signatures need only its bytes. */
export function parseDelivery({ method, url, headers, raw }: IncomingDeliveryRequest): IncomingDelivery {
  const { pathname, searchParams } = new URL(url)
  const plain = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
  let read: { value: unknown } | undefined
  let pairs: [string, string][] | undefined
  const form = () =>
    (pairs ??= (plain['content-type'] ?? '').startsWith(FORM)
      ? [...new URLSearchParams(raw.toString())].slice(0, FORM_FIELDS_MAX)
      : [])
  return {
    method,
    url,
    path: pathname,
    headers: plain,
    query: firstValues([...searchParams]),
    raw,
    get form() {
      return form()
    },
    get body() {
      return (read ??= {
        value: form().length > 0 ? firstValues(form()) : parseBoundedJsonOrUndefined(raw.toString()),
      }).value
    },
  }
}

/** Of a name that comes twice the first counts. */
const firstValues = (pairs: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(pairs.toReversed())
