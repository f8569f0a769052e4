import { existsSync, readFileSync } from 'node:fs'
import { isThirdPerson } from './verb-forms.ts'

const LENGTH_MIN = 12
const LENGTH_MAX = 320

/** What a tool does, in one or two sentences that a person wrote, by slug. */
export type Sentences = Readonly<Record<string, string>>

/** Reads `toolkits/<slug>/sentences.json`; none where there is no file. @throws for texts that break a rule */
export function readSentences(file: string): Sentences {
  if (!existsSync(file)) return {}
  const sentences = JSON.parse(readFileSync(file, 'utf8')) as Sentences
  const faults = Object.entries(sentences).flatMap(([slug, text]) =>
    sentenceFaults(text).map((fault) => `${file}: ${slug} ${fault}: ${String(text)}`),
  )
  const shared = Map.groupBy(Object.entries(sentences), ([, text]) => text)
  for (const [text, tools] of shared)
    if (tools.length > 1)
      faults.push(`${file}: ${tools.map(([slug]) => slug).join(', ')} have the same sentence: ${text}`)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return sentences
}

/** Returns which rules a text breaks. */
export function sentenceFaults(text: unknown): string[] {
  if (typeof text !== 'string') return ['is no text']
  return [
    text.length < LENGTH_MIN || text.length > LENGTH_MAX
      ? `does not have ${LENGTH_MIN} to ${LENGTH_MAX} characters`
      : '',
    beginsWithVerb(text) ? '' : 'does not begin with a verb in the third person',
    text.endsWith('.') ? '' : 'does not end with a full stop',
    /\s{2}|^\s|\n/.test(text) ? 'has more than one space' : '',
  ].filter(Boolean)
}

const beginsWithVerb = (text: string): boolean => {
  const [, verb] = /^([A-Z][a-z]+s)\b[ ,]/.exec(text) ?? []
  return verb !== undefined && isThirdPerson(verb)
}

/**
 * @throws if a sentence belongs to no tool, as its operation is gone or has another slug, or if a tool of a toolkit
 * with sentences has none
 */
export function requireTools(file: string, sentences: Sentences, slugs: ReadonlySet<string>): void {
  if (Object.keys(sentences).length === 0) return
  const unknown = Object.keys(sentences).filter((slug) => !slugs.has(slug))
  const missing = [...slugs].filter((slug) => !Object.hasOwn(sentences, slug))
  if (unknown.length > 0) throw new Error(`${file}: no generated tool has the slug ${unknown.join(', ')}.`)
  if (missing.length > 0) throw new Error(`${file}: write a sentence for ${missing.join(', ')}.`)
}
