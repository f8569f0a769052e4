// Colours of hosted pages from the accent colour of a project. Without imports, so that the console can bundle it.

/** `#rrggbb`, in any case. */
export const ACCENT_PATTERN = '^#[0-9A-Fa-f]{6}$'

/** Backgrounds of the pages, as in the style of the hosted pages. */
export const CARD_COLORS = { light: '#ffffff', dark: '#181b21' } as const
/** Text on a background of the accent colour. */
const ON_ACCENT = ['#ffffff', '#0c1017'] as const
/** WCAG 2.2, 1.4.3: text of the accent colour is readable on the page. */
const CONTRAST_MIN = 4.5
const STEPS = 20

export type Scheme = keyof typeof CARD_COLORS

type Rgb = readonly [red: number, green: number, blue: number]

const parse = (color: string): Rgb => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as never
const format = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red, green, blue] = parse(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Returns the accent colour, made darker or lighter until it is readable on the page, and the text colour on it. */
export function accentColors(accent: string, scheme: Scheme): { accent: string; onAccent: string } {
  const target: Rgb = scheme === 'light' ? [0, 0, 0] : [255, 255, 255]
  let color = accent.toLowerCase()
  for (let step = 1; step <= STEPS && contrast(color, CARD_COLORS[scheme]) < CONTRAST_MIN; step++)
    color = format(
      parse(accent).map(
        (part, n) => part + ((target[n] as number) - part) * (step / STEPS),
      ) as unknown as Rgb,
    )
  const [onAccent] = ON_ACCENT.toSorted((one, other) => contrast(other, color) - contrast(one, color))
  return { accent: color, onAccent: onAccent as string }
}
