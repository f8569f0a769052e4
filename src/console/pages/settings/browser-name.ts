// The first that matches: Edge and Opera also say that they are Chrome, and Chrome says that it is Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const LENGTH_MAX = 80

const firstOf = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** Returns the browser and the system of a User-Agent header as people name them, or its begin if it has neither. */
export function browserName(userAgent: string): string {
  const names = [firstOf(BROWSERS, userAgent), firstOf(SYSTEMS, userAgent)].filter(
    (name) => name !== undefined,
  )
  return names.join(' on ') || userAgent.slice(0, LENGTH_MAX)
}
