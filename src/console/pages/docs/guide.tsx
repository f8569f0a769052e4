import { useEffect, useMemo } from 'react'
import { Link, useParams } from 'wouter'
import { Loaded, Page } from '../../components/index.ts'
import { usePublic } from '../../shell/samples/operations.ts'
import { MarkdownLink, MarkdownView } from './markdown-view.tsx'
import { type Block, parseMarkdown, textOf } from './markdown.ts'

/** One page of the documentation. Its path is that of the file, without the ending. */
export default function Guide() {
  const { '*': name = 'README' } = useParams()
  const path = `${name}.md`
  const page = usePublic<string>(`/docs/${path}`, 'text')
  return page.data === undefined ? (
    <Page title="Documentation">
      <Loaded query={page}>{() => null}</Loaded>
    </Page>
  ) : (
    <Article key={path} path={path} text={page.data} />
  )
}

function Article({ path, text }: { path: string; text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  const [first, ...rest] = blocks
  const hasTitle = first?.kind === 'heading'
  const headings = blocks.filter((block) => block.kind === 'heading' && block.level === 2)
  useEffect(() => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target) target.scrollIntoView()
    else scrollTo(0, 0)
  }, [])
  return (
    <Page
      title={hasTitle ? textOf(first.content) : path}
      lead={<Link href="/docs">Documentation</Link>}
      actions={<MarkdownLink path={`/docs/${path}`} />}
    >
      <div className="docs-split">
        <MarkdownView blocks={hasTitle ? rest : blocks} path={path} />
        {headings.length > 1 && <Contents headings={headings as HeadingBlock[]} />}
      </div>
    </Page>
  )
}

type HeadingBlock = Extract<Block, { kind: 'heading' }>

const Contents = ({ headings }: { headings: readonly HeadingBlock[] }) => (
  <nav className="docs-contents" aria-label="On this page">
    <p className="group">On this page</p>
    <ul>
      {headings.map(({ id, content }) => (
        <li key={id}>
          <a href={`#${id}`}>{textOf(content)}</a>
        </li>
      ))}
    </ul>
  </nav>
)
