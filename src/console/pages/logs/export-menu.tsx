import { useMutation } from '@tanstack/react-query'
import type { exportLogs } from '../../../contract/logs/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { type ApiFailure, callApi } from '../../api/index.ts'
import { Icon, Menu, showToast } from '../../components/index.ts'
import type { LogSearchBody } from './filters.ts'

type Reply = ReplyOf<typeof exportLogs>

const PAGE_SIZE = 1_000
/** A file is at most this long; the API exports any number. */
const ROWS_MAX = 100_000
const READ_MS = 60_000
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** Downloads the executions that the filters find, in the chosen format. */
export function ExportMenu({ body }: { body: LogSearchBody }) {
  const download = useMutation<{ isComplete: boolean }, ApiFailure, Reply['format']>({
    mutationFn: async (format) => {
      const { parts, isComplete } = await readPages(body, format)
      saveFile(`executions.${format}`, new Blob(parts, { type: TYPES[format] }))
      return { isComplete }
    },
    onSuccess: ({ isComplete }) =>
      showToast(isComplete ? 'Exported' : `Exported the newest ${ROWS_MAX.toLocaleString('en')} executions`),
    onError: (error) => showToast(`The export failed: ${error.message}`),
  })
  const choose = (format: Reply['format']) => () => {
    if (!download.isPending) download.mutate(format)
  }
  return (
    <Menu
      trigger={
        <>
          <Icon name="download" />
          {download.isPending ? 'Exporting…' : 'Export'}
        </>
      }
      items={[
        { label: 'CSV', onSelect: choose('csv') },
        { label: 'NDJSON', onSelect: choose('ndjson') },
      ]}
    />
  )
}

async function readPages(
  body: LogSearchBody,
  format: Reply['format'],
): Promise<{ parts: string[]; isComplete: boolean }> {
  const parts: string[] = []
  let cursor: string | null = null
  for (let rows = 0; rows < ROWS_MAX; rows += PAGE_SIZE) {
    const page: Reply = await callApi<Reply>({
      method: 'POST',
      path: '/logs/tool_execution/export',
      body: { ...body, format, limit: PAGE_SIZE, cursor },
    })
    parts.push(page.content)
    cursor = page.next_cursor
    if (cursor === null) return { parts, isComplete: true }
  }
  return { parts, isComplete: false }
}

function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), READ_MS)
}
