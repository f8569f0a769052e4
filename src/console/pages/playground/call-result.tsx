import type { ExecuteReply } from '../../../contract/tools/execution.ts'
import { fileSize } from '../../components/file-size.ts'
import { JsonView, StatusBadge, Tabs } from '../../components/index.ts'
import { onThisServer } from './upload-file.ts'

type Row = Readonly<Record<string, unknown>>

const ROWS_MAX = 200
const COLUMNS_MAX = 8
const CELL_MAX = 120

/** The result of a call as a table, where it contains a list, and as JSON. */
export function CallResult({ reply }: { reply: ExecuteReply }) {
  const rows = findRows(reply.data)
  const files = findFiles(reply.data)
  const json = { id: 'json', label: 'JSON', content: <JsonView label="Data" value={reply.data} /> }
  return (
    <>
      <p aria-live="polite">
        <StatusBadge status={reply.successful ? 'SUCCESS' : 'FAILED'} />{' '}
        <span className="hint">Log id {reply.log_id}</span>
      </p>
      {reply.error && <p role="alert">{reply.error}</p>}
      {reply.paging && <p className="hint">{pagingText(reply.paging)}</p>}
      {files.length > 0 && <Files files={files} />}
      <Tabs
        label="Form of the result"
        tabs={rows ? [{ id: 'table', label: 'Table', content: <Rows rows={rows} /> }, json] : [json]}
      />
    </>
  )
}

const pagingText = ({ pages, items, complete }: NonNullable<ExecuteReply['paging']>): string =>
  `${items} items from ${pages} pages${complete ? '' : '; there are more'}`

function Rows({ rows }: { rows: readonly Row[] }) {
  const visible = rows.slice(0, ROWS_MAX)
  const columns = [...new Set(visible.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX)
  return (
    <>
      <div className="table-box" tabIndex={0} role="region" aria-label="Items of the result">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column}>{cellText(row[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > visible.length && (
        <p className="hint">{`The first ${ROWS_MAX} of ${rows.length} items.`}</p>
      )}
    </>
  )
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds the first list of objects in the data, at most one level deep. */
function findRows(data: unknown): readonly Row[] | undefined {
  const values = isRow(data) ? Object.values(data) : [data]
  return values.find(
    (value): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow),
  )
}

interface ResultFile {
  name: string
  url: string
  size: number | undefined
}

const Files = ({ files }: { files: readonly ResultFile[] }) => (
  <ul className="plain-list" aria-label="Files of the result">
    {files.map(({ name, url, size }) => (
      <li key={url}>
        <a href={onThisServer(url)} download={name}>
          Download {name}
        </a>
        {size !== undefined && <span className="hint">{fileSize(size)}</span>}
      </li>
    ))}
  </ul>
)

/** Finds the files that the tool returned: objects with a URL that the server signed, at any depth. */
function findFiles(data: unknown): ResultFile[] {
  if (Array.isArray(data)) return data.flatMap(findFiles)
  if (!isRow(data)) return []
  const { s3url: url, name, size } = data
  if (typeof url !== 'string' || !/^https?:/.test(url)) return Object.values(data).flatMap(findFiles)
  return [
    {
      name: typeof name === 'string' ? name : 'file',
      url,
      size: typeof size === 'number' ? size : undefined,
    },
  ]
}
