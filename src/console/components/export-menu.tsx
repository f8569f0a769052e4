import { useMutation } from '@tanstack/react-query'
import { type ApiFailure, type ApiRequest, callApi } from '../api/index.ts'
import { Icon } from './icons.tsx'
import { Menu } from './menu.tsx'
import { showToast } from './toast.tsx'

type Format = 'csv' | 'ndjson'

interface ExportPage {
  content: string
  next_cursor: string | null
}

/** Makes the request for one page of an export. */
export type PageRequest = (page: { format: Format; limit: number; cursor: string | null }) => ApiRequest

const PAGE_SIZE = 1_000
/** A file is at most this long; the API exports any number. */
const ROWS_MAX = 100_000
const READ_MS = 60_000
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

interface ExportProps {
  /** Name of the file without its extension, and of the rows. */
  name: string
  /** Called when an export starts. */
  start(): PageRequest | Promise<PageRequest>
}

/** Downloads the rows that the filters find, in the chosen format. */
export function ExportMenu({ name, start }: ExportProps) {
  const download = useMutation<{ isComplete: boolean }, ApiFailure, Format>({
    mutationFn: async (format) => {
      const { parts, isComplete } = await readPages(await start(), format)
      saveFile(`${name}.${format}`, new Blob(parts, { type: TYPES[format] }))
      return { isComplete }
    },
    onSuccess: ({ isComplete }) =>
      showToast(isComplete ? 'Exported' : `Exported the newest ${ROWS_MAX.toLocaleString('en')} ${name}`),
    onError: (error) => showToast(`The export failed: ${error.message}`),
  })
  const choose = (format: Format) => () => {
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
  request: PageRequest,
  format: Format,
): Promise<{ parts: string[]; isComplete: boolean }> {
  const parts: string[] = []
  let cursor: string | null = null
  for (let rows = 0; rows < ROWS_MAX; rows += PAGE_SIZE) {
    const page: ExportPage = await callApi<ExportPage>(request({ format, limit: PAGE_SIZE, cursor }))
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
