import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { PREFIX } from '../../api/base.ts'
import { CodeBlock } from '../../components/code.tsx'
import { type Block, type Inline, parseInline } from './markdown.ts'

/** Shows the blocks of a page. Links lead to pages of the console, relative to `path`, the path of this page. */
export const MarkdownView = ({ blocks, path }: { blocks: readonly Block[]; path: string }) => (
  <div className="prose">{renderBlocks(blocks, { path, codes: 0, tables: 0 })}</div>
)

/** The same page as text, for language models and programs. */
export const MarkdownLink = ({ path }: { path: string }) => (
  <a className="button plain" href={`${PREFIX}${path}`}>
    Markdown
  </a>
)

/** Where the blocks are, and how many of them were rendered: names of regions must differ. */
interface Context {
  path: string
  codes: number
  tables: number
}

/** A description of the API: paragraphs and lists of texts with code. */
export const InlineMarkdown = ({ text }: { text: string }) => (
  <>{renderInline(parseInline(text), { path: '', codes: 0, tables: 0 })}</>
)

const renderBlocks = (blocks: readonly Block[], context: Context): ReactNode =>
  blocks.map((block, index) => <Fragment key={index}>{renderBlock(block, context)}</Fragment>)

function renderBlock(block: Block, context: Context): ReactNode {
  switch (block.kind) {
    case 'heading':
      return createElement(
        `h${Math.max(block.level, 2)}`,
        { id: block.id, tabIndex: -1 },
        renderInline(block.content, context),
      )
    case 'paragraph':
      return <p>{renderInline(block.content, context)}</p>
    case 'code':
      return <CodeBlock label={`${block.language || 'text'} (${++context.codes})`} code={block.text} />
    case 'quote':
      return <blockquote>{renderBlocks(block.content, context)}</blockquote>
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{renderItem(item, context)}</li>)
      return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return (
        <div className="prose-table" tabIndex={0} role="region" aria-label={`Table ${++context.tables}`}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {cell.length ? (
                      renderInline(cell, context)
                    ) : (
                      <span className="visually-hidden">Name</span>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{renderInline(cell, context)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

/** An item that starts with a text shows it without a paragraph. */
const renderItem = ([first, ...rest]: readonly Block[], context: Context): ReactNode =>
  first?.kind === 'paragraph' ? (
    <>
      {renderInline(first.content, context)}
      {renderBlocks(rest, context)}
    </>
  ) : (
    renderBlocks(first ? [first, ...rest] : rest, context)
  )

const renderInline = (content: readonly Inline[], context: Context): ReactNode =>
  content.map((part, index) => <Fragment key={index}>{renderPart(part, context)}</Fragment>)

function renderPart(part: Inline, context: Context): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{renderInline(part.content, context)}</strong>
    case 'emphasis':
      return <em>{renderInline(part.content, context)}</em>
    case 'image':
      return (
        <img src={`${PREFIX}/docs/${resolvePath(part.src, context.path)}`} alt={part.alt} loading="lazy" />
      )
    case 'link':
      return renderLink(part.href, renderInline(part.content, context), context)
  }
}

function renderLink(href: string, content: ReactNode, context: Context): ReactNode {
  if (href.startsWith('#')) return <a href={href}>{content}</a>
  if (/^https?:/.test(href))
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {content}
      </a>
    )
  const [file = '', anchor] = resolvePath(href, context.path).split('#')
  if (file === 'reference/openapi.json') return <a href={`${PREFIX}/openapi.json`}>{content}</a>
  if (!file.endsWith('.md') || file.startsWith('..')) return content
  return <Link href={`/docs/${file.slice(0, -3)}${anchor ? `#${anchor}` : ''}`}>{content}</Link>
}

/** Returns a relative link of a page as a path below `docs/`; one that leads out of it starts with `..`. */
export function resolvePath(href: string, path: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of href.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
