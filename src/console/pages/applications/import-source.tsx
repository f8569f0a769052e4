import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/index.ts'
import { Card, CheckField, errorOf, Field, FormError, TextField } from '../../components/index.ts'
import { useIsReadOnly } from '../../components/read-only.tsx'

/** Where the description of an API comes from: a URL, or the content of a file. */
export interface Source {
  url?: string
  content?: string
  slug?: string
  server?: string
  lenient?: boolean
}

interface SourceFieldsProps {
  source: Source
  failure: ApiFailure | null
  onChange(source: Source): void
  children: ReactNode
}

const FILE_BYTES_MAX = 20_000_000

export function SourceFields({ source, failure, onChange, children }: SourceFieldsProps) {
  const set = (change: Source) => onChange({ ...source, ...change })
  return (
    <Card title="Description of the API">
      <TextField
        label="URL"
        type="url"
        placeholder="https://api.example.com/openapi.json"
        disabled={source.content !== undefined}
        value={source.url ?? ''}
        onChange={(event) => set({ url: event.target.value })}
        error={errorOf(failure, 'url')}
      />
      <FileField source={source} onChange={onChange} />
      <TextField
        label="Short name (optional)"
        hint="Lower case, such as inventory. Tools start with it. Default: from the title."
        pattern="[a-z0-9_]+"
        value={source.slug ?? ''}
        onChange={(event) => set({ slug: event.target.value })}
        error={errorOf(failure, 'slug')}
      />
      <TextField
        label="Server (optional)"
        hint="Base URL, if the description names none or another one."
        type="url"
        value={source.server ?? ''}
        onChange={(event) => set({ server: event.target.value })}
        error={errorOf(failure, 'server')}
      />
      <CheckField
        label="Import a document with faults"
        hint="Repeated keys and a missing version become notes, and arguments of JSON bodies are not checked."
        checked={source.lenient ?? false}
        onChange={(event) => set({ lenient: event.target.checked })}
      />
      <FormError failure={failure} />
      {children}
    </Card>
  )
}

function FileField({ source, onChange }: Pick<SourceFieldsProps, 'source' | 'onChange'>) {
  const [problem, setProblem] = useState('')
  const [name, setName] = useState('')
  const isReadOnly = useIsReadOnly()
  const readFile = async (file: File | undefined) => {
    const { content: _, ...rest } = source
    const isTooLarge = file !== undefined && file.size > FILE_BYTES_MAX
    setProblem(isTooLarge ? 'The file is larger than 20 MB. Import it by its URL.' : '')
    setName(file && !isTooLarge ? file.name : '')
    onChange(file && !isTooLarge ? { ...rest, content: await file.text() } : rest)
  }
  return (
    <Field label="Or a file" error={problem} hint={name && `${name} is read.`}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="file"
          disabled={isReadOnly}
          accept=".json,.yaml,.yml,.graphql,.txt"
          onChange={(event) => void readFile(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}
