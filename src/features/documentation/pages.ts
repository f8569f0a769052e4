import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A page of the documentation. */
export interface DocumentationPage {
  /** Path below `docs/`, such as `guides/errors.md`. */
  path: string
  title: string
  /** The first sentences of the page, as plain text. */
  summary: string
}

export interface DocumentationGroup {
  title: string
  pages: DocumentationPage[]
}

/** A part of a page: what is below one heading. */
export interface Section {
  path: string
  /** Title of the page. */
  title: string
  /** Null for the start of a page. */
  heading: string | null
  text: string
}

const INDEX = 'README.md'
/** Letters, digits and dashes only, so no path leads out of the folder. */
const PATH = /^(?:[A-Za-z0-9_-]{1,64}\/){0,3}[A-Za-z0-9_-]{1,64}\.(?:md|png|webp)$/
const SUMMARY_MAX = 200
const GROUP = /^## (.+)$/
const LINK = /\[([^\]]+)\]\(([\w/-]+\.md)\)/g

/** Reads the pages of a documentation folder. Each file is read when it is first needed. */
export function createPages(folder: string) {
  let groups: Promise<DocumentationGroup[]> | undefined
  let sections: Promise<Section[]> | undefined

  /** Returns a file of the folder; undefined if there is none at this path. */
  async function read(path: string): Promise<Buffer | undefined> {
    if (!PATH.test(path)) return undefined
    return readFile(join(folder, path)).catch(() => undefined)
  }
  const readText = async (path: string): Promise<string> => (await read(path))?.toString('utf8') ?? ''

  const loadGroups = async (): Promise<DocumentationGroup[]> => {
    const found = groupsOf(await readText(INDEX))
    return Promise.all(
      found.map(async ({ title, paths }) => ({
        title,
        pages: await Promise.all(paths.map(async (path) => describePage(path, await readText(path)))),
      })),
    )
  }
  const listGroups = () => (groups ??= loadGroups())

  return {
    read,
    readText,
    /** Returns the pages in the groups of the first page, in their order. */
    listGroups,
    /** Returns what the search reads: the sections of every page in a group. */
    listSections(): Promise<Section[]> {
      sections ??= listGroups().then(async (all) => {
        const pages = all.flatMap((group) => group.pages)
        return (
          await Promise.all(pages.map(async (page) => sectionsOf(page, await readText(page.path))))
        ).flat()
      })
      return sections
    },
  }
}

export type Pages = ReturnType<typeof createPages>

/** Reads the groups of the first page: a heading, then links to pages. A page belongs to its first group. */
function groupsOf(index: string): { title: string; paths: string[] }[] {
  const groups: { title: string; paths: string[] }[] = []
  const seen = new Set<string>()
  for (const line of index.split('\n')) {
    const [, title] = GROUP.exec(line) ?? []
    if (title !== undefined) groups.push({ title, paths: [] })
    for (const [, , path = ''] of line.matchAll(LINK)) {
      if (seen.has(path)) continue
      seen.add(path)
      groups.at(-1)?.paths.push(path)
    }
  }
  return groups.filter(({ paths }) => paths.length > 0)
}

function describePage(path: string, text: string): DocumentationPage {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  const paragraph = text
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}/)
    .find((block) => /^[A-Za-z`[*]/.test(block))
  return { path, title: plainText(title), summary: shorten(plainText(paragraph ?? '')) }
}

function sectionsOf({ path, title }: DocumentationPage, text: string): Section[] {
  const sections: Section[] = []
  let isCode = false
  let heading: string | null = null
  let lines: string[] = []
  const end = () => {
    const body = plainText(lines.join('\n')).trim()
    if (body || heading !== null) sections.push({ path, title, heading, text: body })
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, name] = isCode ? [] : (/^##+ (.+)$/.exec(line) ?? [])
    if (name !== undefined) {
      end()
      heading = plainText(name)
    } else if (!/^(?:# |```|<!--)/.test(line)) lines.push(line)
  }
  end()
  return sections
}

/** Returns the text of Markdown without links, emphasis and code marks. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Shortens a text at the end of a sentence, or else of a word. */
function shorten(text: string): string {
  if (text.length <= SUMMARY_MAX) return text
  const start = text.slice(0, SUMMARY_MAX)
  const sentence = start.lastIndexOf('. ')
  return sentence > 0 ? start.slice(0, sentence + 1) : `${start.slice(0, start.lastIndexOf(' '))} …`
}
