import { useContext, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../api/index.ts'
import { Button, FormError, IconButton } from '../../components/index.ts'
import { fileSize } from '../../components/file-size.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { useIsReadOnly } from '../../components/read-only.tsx'
import type { FileFieldProps } from '../../components/schema-form.tsx'
import { type FileArgument, uploadFile } from './upload-file.ts'
import { UploadsContext } from './uploads.ts'

/** A file on its way to the server. */
interface Transfer {
  file: File
  /** The part that was sent, from 0 to 1. */
  part: number
  failure?: ApiFailure
}

const isFileArgument = (value: unknown): value is FileArgument =>
  typeof value === 'object' && value !== null && typeof (value as FileArgument).s3key === 'string'

/** A field for an argument that is a file: the chosen file is uploaded at once, and the argument is its key. */
export function FileField(props: FileFieldProps) {
  const isReadOnly = useIsReadOnly()
  const { id, label, isRequired, description, value, isInvalid, error, onChange } = props
  const { transfer, size, start, clear } = useTransfer(onChange)
  const name = transfer?.file.name ?? (isFileArgument(value) ? value.name : undefined)
  const remove = () => {
    clear()
    onChange(undefined)
  }
  return (
    <>
      <label htmlFor={id}>
        {label}
        {isRequired && <span className="hint"> (required)</span>}
      </label>
      {name === undefined ? (
        <input
          id={id}
          type="file"
          className="input"
          disabled={isReadOnly}
          aria-describedby={`${id}-hint`}
          aria-invalid={isInvalid || undefined}
          onChange={({ target }) => {
            if (target.files?.[0]) start(target.files[0])
          }}
        />
      ) : (
        <div className="row" role="group" aria-label={`${label}: ${name}`}>
          <span className="break">{name}</span>
          {size !== undefined && <span className="hint">{fileSize(size)}</span>}
          {transfer && !transfer.failure && <Progress name={name} part={transfer.part} />}
          {transfer?.failure && <Button onClick={() => start(transfer.file)}>Try again</Button>}
          <IconButton icon="trash" label={`Remove ${name}`} onClick={remove} />
        </div>
      )}
      <FormError failure={transfer?.failure} />
      <p className="hint" id={`${id}-hint`}>
        <InlineCode>{description}</InlineCode> The server keeps it for a limited time.
      </p>
      {error && !transfer && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

const Progress = ({ name, part }: { name: string; part: number }) => (
  <>
    <progress aria-label={`Upload of ${name}`} max={1} value={part} />
    <span className="hint number">{Math.floor(part * 100)} %</span>
  </>
)

/** Uploads one file at a time. A field that disappears ends its upload. */
function useTransfer(onChange: FileFieldProps['onChange']) {
  const uploads = useContext(UploadsContext)
  const [transfer, setTransfer] = useState<Transfer>()
  const [size, setSize] = useState<number>()
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  async function start(file: File): Promise<void> {
    if (!uploads) return
    current.current?.abort()
    const { signal } = (current.current = new AbortController())
    setSize(file.size)
    setTransfer({ file, part: 0 })
    uploads.onRunning(1)
    try {
      const onProgress = (part: number) => setTransfer({ file, part })
      const { argument, request } = await uploadFile(file, uploads.target, onProgress, signal)
      uploads.onUploaded(argument.s3key, request)
      onChange(argument)
      setTransfer(undefined)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ApiFailure)) throw error
      setTransfer({ file, part: 0, failure: error })
    } finally {
      uploads.onRunning(-1)
    }
  }
  function clear(): void {
    current.current?.abort()
    setTransfer(undefined)
    setSize(undefined)
  }
  return { transfer, size, start: (file: File) => void start(file), clear }
}
