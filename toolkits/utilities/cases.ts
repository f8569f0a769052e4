export const CASES = [
  'upper',
  'lower',
  'title',
  'sentence',
  'camel',
  'pascal',
  'snake',
  'kebab',
  'constant',
] as const

/** Letters that Unicode does not take apart into a base letter and a mark. */
const SPELLINGS: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
}

const capitalized = (word: string) => {
  const [first = '', ...rest] = [...word]
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/** Words of a name or phrase: `parseHTTPRequest-now` is parse, HTTP, Request, now. */
const wordsOf = (text: string) =>
  text
    .replace(/['’]/g, '')
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

export function changeCase(text: string, to: (typeof CASES)[number]): string {
  switch (to) {
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return text.toLowerCase()
    case 'title':
      return text.replace(/[\p{L}\p{M}\p{N}'’]+/gu, capitalized)
    case 'sentence':
      return text
        .toLowerCase()
        .replace(
          /(^|[.!?]\s)(\s*)(\p{L})/gu,
          (_, end: string, space: string, letter: string) => end + space + letter.toUpperCase(),
        )
    case 'camel':
      return wordsOf(text)
        .map((word, index) => (index === 0 ? word.toLowerCase() : capitalized(word)))
        .join('')
    case 'pascal':
      return wordsOf(text).map(capitalized).join('')
    case 'snake':
      return wordsOf(text).join('_').toLowerCase()
    case 'kebab':
      return wordsOf(text).join('-').toLowerCase()
    case 'constant':
      return wordsOf(text).join('_').toUpperCase()
  }
}

/** Letters a to z and digits only; other scripts are dropped, so a text without any of these gives an empty slug. */
export function slugify(text: string, separator: '-' | '_', maxLength: number): string {
  const words =
    text
      .replace(/['’]/g, '')
      .replace(/[^\x00-\x7f]/gu, (character) => SPELLINGS[character] ?? character)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  let slug = ''
  for (const word of words) {
    const next = slug === '' ? word.slice(0, maxLength) : slug + separator + word
    if (next.length > maxLength) break
    slug = next
  }
  return slug
}
