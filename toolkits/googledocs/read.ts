/** What the Docs API answers for a document (`includeTabsContent=true`), as far as it is used here. */
export interface Document {
  documentId?: string
  title?: string
  revisionId?: string
  tabs?: Tab[]
}
interface Tab {
  tabProperties?: { tabId?: string; title?: string }
  documentTab?: { body?: { content?: Content[] } }
  childTabs?: Tab[]
}
interface Content {
  startIndex?: number
  endIndex?: number
  paragraph?: {
    elements?: { textRun?: { content?: string } }[]
    paragraphStyle?: { namedStyleType?: string }
    bullet?: { nestingLevel?: number }
  }
  table?: { tableRows?: { tableCells?: { content?: Content[] }[] }[] }
  tableOfContents?: { content?: Content[] }
}
interface Cell {
  start_index: number | undefined
  row: number
  column: number
}
interface Open {
  content: Content
  cell?: Cell | undefined
}

const TABS_MAX = 1_000
const BLOCKS_MAX = 20_000

/** Text of a paragraph. Each element that is not text has one character of the indexes and is named. */
const textOf = ({ elements = [] }: NonNullable<Content['paragraph']>) =>
  elements
    .map(({ textRun }) => (textRun ? (textRun.content ?? '') : '[object]'))
    .join('')
    .replace(/\n$/, '')

/** The content of a table or a table of contents; undefined for a paragraph. */
function inner({ content: { table, tableOfContents, startIndex }, cell }: Open): Open[] | undefined {
  if (tableOfContents) return (tableOfContents.content ?? []).map((content) => ({ content, cell }))
  return table?.tableRows?.flatMap(({ tableCells = [] }, row) =>
    tableCells.flatMap(({ content = [] }, column) =>
      content.map((one) => ({ content: one, cell: { start_index: startIndex, row, column } })),
    ),
  )
}

function* paragraphs(content: readonly Content[]) {
  const open: Open[] = content.map((one) => ({ content: one })).reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    for (const one of inner(next)?.reverse() ?? []) open.push(one)
    const { paragraph, startIndex = 0, endIndex = 0 } = next.content
    if (!paragraph) continue
    const { bullet, paragraphStyle } = paragraph
    yield {
      text: textOf(paragraph),
      start_index: startIndex,
      end_index: endIndex,
      style: paragraphStyle?.namedStyleType ?? 'NORMAL_TEXT',
      ...(bullet ? { list_level: bullet.nestingLevel ?? 0 } : {}),
      ...(next.cell ? { table: next.cell } : {}),
    }
  }
}

/** All tabs in the order of the list at the side. */
function allTabs(tabs: readonly Tab[] = []): Tab[] {
  const [found, open]: [Tab[], Tab[]] = [[], [...tabs]]
  while (open.length > 0 && found.length < TABS_MAX) {
    const tab = open.shift()!
    found.push(tab)
    open.unshift(...(tab.childTabs ?? []))
  }
  return found
}

/** A document as blocks of text with the indexes that changes need, cut after a number of characters. */
export function readable(document: Document, charsMax: number) {
  const tabs = allTabs(document.tabs)
  const blocks: Record<string, unknown>[] = []
  let left = charsMax
  let truncated = false
  for (const { tabProperties, documentTab } of tabs) {
    for (const block of paragraphs(documentTab?.body?.content ?? [])) {
      if (left <= 0 || blocks.length >= BLOCKS_MAX) {
        truncated = true
        break
      }
      if (block.text.length > left) truncated = true
      blocks.push({
        ...block,
        text: block.text.slice(0, left).toWellFormed(),
        tab_id: tabProperties?.tabId ?? '',
      })
      left -= block.text.length
    }
  }
  return {
    document_id: document.documentId,
    title: document.title ?? '',
    revision_id: document.revisionId ?? null,
    truncated,
    tabs: tabs.map(({ tabProperties }) => ({
      tab_id: tabProperties?.tabId ?? '',
      title: tabProperties?.title ?? '',
    })),
    blocks,
  }
}
