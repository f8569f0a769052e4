interface Cookie {
  name: string
  value: string
  host: string
  path: string
}

/** Cookies as a browser keeps them for one user: by host and path, until they expire or are taken back. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>()

  /** Takes in the `Set-Cookie` headers of an answer from `url`. */
  store(url: URL, headers: string[]): void {
    for (const header of headers) this.#storeOne(url, header)
  }

  /** The `Cookie` header for a request to `url`; empty when there is none to send. */
  headerFor(url: URL): string {
    return [...this.#cookies.values()]
      .filter((cookie) => cookie.host === url.hostname && pathCovers(cookie.path, url.pathname))
      .sort((a, b) => b.path.length - a.path.length)
      .map((cookie) => `${cookie.name}=${cookie.value}`)
      .join('; ')
  }

  /** The names of the cookies it holds. */
  names(): string[] {
    return [...this.#cookies.values()].map((cookie) => cookie.name)
  }

  #storeOne(url: URL, header: string): void {
    const [pair = '', ...attributeTexts] = header.split(';').map((part) => part.trim())
    const split = pair.indexOf('=')
    if (split < 1) return
    const attributes = new Map(
      attributeTexts.map((text) => {
        const [name = '', value = ''] = text.split(/=(.*)/s)
        return [name.toLowerCase(), value] as const
      }),
    )
    const path = attributes.get('path')?.startsWith('/') ? attributes.get('path')! : defaultPath(url)
    const cookie = { name: pair.slice(0, split), value: pair.slice(split + 1), host: url.hostname, path }
    const key = `${cookie.host} ${cookie.path} ${cookie.name}`
    if (isExpired(attributes)) this.#cookies.delete(key)
    else this.#cookies.set(key, cookie)
  }
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined) return Number(maxAge) <= 0
  const expires = attributes.get('expires')
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

/** RFC 6265, 5.1.4 */
function defaultPath(url: URL): string {
  return url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')))
}

function pathCovers(cookiePath: string, requestPath: string): boolean {
  if (cookiePath === requestPath) return true
  return requestPath.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
}
