import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { trackedFiles, type Verdict } from './file-gates.ts'
import { textsOf } from './source-text.ts'
import { ALLOWED_NAMES, NAME_WORDS, PROSE_EXCEPTIONS, PROSE_RULES } from './word-list.ts'

const root = join(import.meta.dirname, '..')
const CODE = /\.(ts|tsx|js)$/
const MARKDOWN = /\.md$/
/** Data that the project words: descriptions of toolkits, tools, parameters and triggers. */
const MANIFEST = /^toolkits\/.*\.json$/
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
/** Code in Markdown is checked where it is defined. */
const MARKDOWN_CODE = /^(```+|~~~+)[^]*?^\1|`[^`\n]*`/gm

/** The words of a name: `finishWalk`, `finish-walk` and `FINISH_WALK` have the words `finish` and `walk`. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
}

/** Reports file names and exported names that contain a word of the list. */
export function checkNames(file: string, text: string): string[] {
  const names = [basename(file).replace(/\..*$/, '')]
  if (CODE.test(file)) names.push(...[...text.matchAll(EXPORTED)].map(([, name = '']) => name))
  return names
    .filter((name) => !Object.hasOwn(ALLOWED_NAMES, name))
    .flatMap((name) =>
      wordsOfName(name)
        .filter((word) => NAME_WORDS.has(word))
        .map((word) => `${file}: the name ${name} contains "${word}", a word that the project does not use`),
    )
}

/** Reports sentences that contain a word of the list, with the line and the word to use instead. */
export function checkProse(file: string, text: string): string[] {
  if (PROSE_EXCEPTIONS.some(({ path }) => path.test(file))) return []
  return proseOf(file, text).flatMap(({ prose, index }) =>
    PROSE_RULES.flatMap(({ not, but, notIn }) => {
      if (notIn?.test(file)) return []
      const match = new RegExp(not.source, 'i').exec(prose)
      if (!match) return []
      const line = text.slice(0, index + match.index).split('\n').length
      return [`${file}:${line}: "${match[0]}": use ${but}`]
    }),
  )
}

/** Blanks code spans: they name fields and values. */
const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length))

/** Blanks quoted words inside of a text: values of an SQL statement, words of a query. */
const withoutValues = (text: string) => text.replace(/(?<=[^\w])'\w+'/g, (value) => ' '.repeat(value.length))

function proseOf(file: string, text: string): { prose: string; index: number }[] {
  if (MARKDOWN.test(file))
    return [{ prose: text.replace(MARKDOWN_CODE, (code) => code.replace(/[^\n]/g, ' ')), index: 0 }]
  if (MANIFEST.test(file))
    return [...withoutCode(text).matchAll(/"(?:[^"\\\n]|\\.)*"/g)]
      .filter(([string]) => string.includes(' '))
      .map((match) => ({ prose: match[0], index: match.index }))
  if (!CODE.test(file)) return []
  return textsOf(text)
    .filter(({ prose, kind }) => kind === 'comment' || prose.includes(' '))
    .map(({ prose, index }) => ({ prose: withoutValues(withoutCode(prose)), index }))
}

/** Checks the whole tree against the word list. */
export function wordList(): Verdict {
  return { faults: wordFaults() }
}

/** Returns every place of the tree that uses a word of the list. */
function wordFaults(): string[] {
  const faults: string[] = []
  for (const file of trackedFiles().filter(
    (name) => CODE.test(name) || MARKDOWN.test(name) || MANIFEST.test(name),
  )) {
    const text = readText(join(root, file))
    if (text !== undefined) faults.push(...checkNames(file, text), ...checkProse(file, text))
  }
  return faults
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // deleted and not committed yet
  }
}
