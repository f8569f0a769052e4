import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ReplyOf, RequestOf, Route } from '../../src/contract/route.ts'

export interface ErrorBody {
  error: {
    message: string
    code: number
    slug: string
    status: number
    request_id: string
    suggested_fix: string
    errors: string[]
  }
}
export interface Reply<T> {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: T & ErrorBody
}

/** A client typed by the contract: a renamed field breaks its tests at compile time. */
export type Client = <T extends Route>(route: T, request?: Loose<RequestOf<T>>) => Promise<Reply<ReplyOf<T>>>

/** Bad bodies are tested too: whoever wants one says `as never`. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined }

export function client(
  app: { inject(options: InjectOptions): Promise<LightMyRequestResponse> },
  headers: Record<string, string>,
  version: 'v3' | 'v3.1' = 'v3',
): Client {
  return async (route, request = {}) => {
    const params = (request.params ?? {}) as Record<string, unknown>
    const url = `/api/${version}${route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))}`
    const query = Object.fromEntries(
      Object.entries(request.query ?? {}).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(',') : String(value),
      ]),
    )
    const res = await app.inject({
      method: route.method,
      url,
      headers,
      query,
      ...(request.body === undefined ? {} : { payload: request.body as object }),
    })
    return { status: res.statusCode, headers: res.headers, body: res.body ? res.json() : undefined } as never
  }
}
