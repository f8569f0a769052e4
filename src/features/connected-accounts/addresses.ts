/** An address of the application, with how it ended; the address keeps its own query. */
export function homeOf(url: string, params: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return target.href
}
