/** Accepts http and https only; a URL that was stored before that was validated can be another. */
export function safeHttpUrl(text: string | null | undefined): string | undefined {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
