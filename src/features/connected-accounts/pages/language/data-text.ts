/** A text of a data file in every language. English comes first, then the order of the columns of the data files. */
export interface DataText {
  texts: Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'pt', string>>
}

/** Returns a text of a data file, with its values filled in. */
export function dataText(
  [en, de, fr, es, pt]: readonly string[],
  values: Readonly<Record<string, string>> = {},
): DataText {
  const fill = (text = ''): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return { texts: { en: fill(en), de: fill(de), fr: fill(fr), es: fill(es), pt: fill(pt) } }
}
