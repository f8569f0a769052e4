import { entriesOf, fail, lowerCaseList, type Rule } from './rules.ts'

const PAIRS_MAX = 64

/** `name=value,name=value` with percent-encoded values, as in W3C Baggage. Header names are in lower case. */
export const pairs: Rule<Readonly<Record<string, string>>> = {
  must: `a comma-separated list of at most ${PAIRS_MAX} \`name=value\` pairs, with values percent-encoded`,
  read(text) {
    const entries = entriesOf(text).map(readPair)
    return entries.length <= PAIRS_MAX ? Object.fromEntries(entries) : fail()
  },
}

function readPair(entry: string): [string, string] {
  const split = entry.indexOf('=')
  const name = entry.slice(0, Math.max(0, split)).trim()
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) fail()
  try {
    return [name.toLowerCase(), decodeURIComponent(entry.slice(split + 1).trim())]
  } catch {
    return fail()
  }
}

/** A number from 0 to 1. */
export const share: Rule<number> = {
  must: 'a number from 0 to 1',
  read: (text) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : fail()),
}

/** Host names, each of which may start with `*.`. */
export const hostPatterns = lowerCaseList(
  /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/,
  'a comma-separated list of host names; *.example.com means every host below example.com',
)
