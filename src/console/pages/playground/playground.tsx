import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Tool } from '../../../contract/tools/index.ts'
import { useApi } from '../../api/index.ts'
import { Combobox, EmptyState, Loaded, Page } from '../../components/index.ts'
import { ToolForm } from './tool-form.tsx'

const SEARCH_LENGTH_MIN = 3

/** Runs any tool with any account. The tool is in the URL. */
export default function Playground() {
  const [parameters, setParameters] = useSearchParams()
  const slug = parameters.get('tool') ?? ''
  return (
    <Page title="Playground" lead="Run a tool as an agent would, and copy the call as code.">
      <ToolChoice slug={slug} onChoose={(tool) => setParameters({ tool })} />
      {slug ? (
        <ChosenTool key={slug} slug={slug} />
      ) : (
        <EmptyState icon="play" title="Choose a tool">
          Search by its name, or by what it should do, such as “create an issue”.
        </EmptyState>
      )}
    </Page>
  )
}

function ToolChoice({ slug, onChoose }: { slug: string; onChoose(slug: string): void }) {
  const [text, setText] = useState('')
  const search = text.trim()
  const tools = useApi<{ items: Tool[] }>(
    {
      path: '/tools',
      query: { limit: 20, ...(search.length >= SEARCH_LENGTH_MIN ? { search } : { important: true }) },
    },
    { keepPrevious: true },
  )
  const options = (tools.data?.items ?? []).map((tool) => ({
    value: tool.slug,
    label: tool.slug,
    hint: `${tool.toolkit.name}: ${tool.name}`,
  }))
  return (
    <Combobox
      label="Tool"
      value={slug}
      options={options}
      request={tools}
      onChange={onChoose}
      onSearch={setText}
    />
  )
}

function ChosenTool({ slug }: { slug: string }) {
  const tool = useApi<Tool>({ path: `/tools/${slug}` })
  return <Loaded query={tool}>{(data) => <ToolForm tool={data} />}</Loaded>
}
