/** Returns a word as a POSIX shell reads it. */
export const quoteWord = (word: string): string =>
  /^[\w@.-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
