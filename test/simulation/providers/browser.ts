/** Where a browser ends that follows a provider without consent page; what it comes back with to `redirectUri`. */
export async function authorizeInBrowser(url: string, redirectUri: string): Promise<Record<string, string>> {
  let next = url
  for (let hop = 0; hop < 5; hop++) {
    if (next.startsWith(redirectUri)) return Object.fromEntries(new URL(next).searchParams)
    const reply = await fetch(next.split('#')[0] as string, {
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    })
    const text = await reply.text()
    const nextUrl = reply.headers.get('location') ?? appAddress(text, next)
    if (!nextUrl) throw new Error(`The provider shows the user: ${reply.status} ${text.slice(0, 200)}`)
    next = nextUrl
  }
  throw new Error('The provider sends the browser in circles.')
}

/** What the script of a page does that reads its parameters from the fragment. */
function appAddress(page: string, address: string): string | undefined {
  const next = /data-next="([^"]+)"/.exec(page)?.[1]
  const params = new URL(address).hash.split('?')[1]
  return next && params ? `${next}?${params}` : undefined
}
