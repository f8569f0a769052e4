import { useState } from 'react'
import { Link } from 'wouter'
import { useApiMutation, useScreenRequest } from '../../api/index.ts'
import { Form, Button, Page, showToast } from '../../components/index.ts'
import { type Source, SourceFields } from './import-source.tsx'
import { ImportReport, type Report } from './import-report.tsx'

/** Turns an API description into tools: a preview first, then the import. */
export default function ImportApi() {
  const [source, setSource] = useState<Source>({})
  const run = useApiMutation<boolean, Report>((isPreview) => requestFor(source, isPreview), {
    invalidates: ['/toolkits'],
    onSuccess: (report, isPreview) => {
      if (!isPreview) showToast(`${report.name} is imported`)
    },
  })
  const isReady = Boolean(source.url) || source.content !== undefined
  useScreenRequest(source.url ? requestFor(source, true) : undefined)
  const set = (next: Source) => {
    setSource(next)
    run.reset()
  }
  return (
    <Page
      title="Import an API"
      lead="OpenAPI, Swagger, GraphQL, Postman, or a remote MCP server. Nothing is saved before you confirm."
    >
      <Form
        className="stack"
        onSubmit={() => {
          if (isReady) run.mutate(true)
        }}
      >
        <SourceFields source={source} failure={run.error} onChange={set}>
          <Button type="submit" look="primary" isBusy={run.isPending} disabled={!isReady}>
            Preview
          </Button>
        </SourceFields>
        {run.data && <ImportReport report={run.data} />}
        {run.data?.dry_run && (
          <div className="actions">
            <Button look="primary" isBusy={run.isPending} onClick={() => run.mutate(false)}>
              {`Import ${run.data.counts.tools} tools`}
            </Button>
          </div>
        )}
        {run.data && !run.data.dry_run && (
          <Link href={`/applications/${run.data.slug}?tab=connect`} className="button primary">
            {`Connect ${run.data.name}`}
          </Link>
        )}
      </Form>
    </Page>
  )
}

function requestFor({ url, content, slug, server, lenient }: Source, isPreview: boolean) {
  return {
    method: 'POST' as const,
    path: '/toolkits/import',
    body: {
      ...(content === undefined ? { url } : { content }),
      ...(slug && { slug }),
      ...(server && { server }),
      ...(lenient && { lenient }),
      dry_run: isPreview,
    },
  }
}
