import { useState } from 'react'
import { useLocation } from 'wouter'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { useApi, useApiMutation } from '../../api/index.ts'
import {
  CheckField,
  Combobox,
  Dialog,
  errorOf,
  Form,
  FormActions,
  IconButton,
  TextField,
} from '../../components/index.ts'

interface Draft {
  name: string
  toolkits: readonly string[]
  managed_auth_via_service: boolean
}
interface Toolkit {
  slug: string
  name: string
}

const FOUND_MAX = 20

/** A form for a new MCP server. Its page, with the snippets for clients, opens afterwards. */
export function AddServer({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState<Draft>({ name: '', toolkits: [], managed_auth_via_service: true })
  const create = useApiMutation<Draft, McpServer>(
    (body) => ({ method: 'POST', path: '/mcp/servers/custom', body }),
    { invalidates: ['/mcp/servers'], onSuccess: ({ id }) => navigate(`/mcp/${id}`) },
  )
  return (
    <Dialog title="Create MCP server" isOpen={isOpen} onClose={onClose} isWide>
      <Form onSubmit={() => create.mutate(draft)}>
        <TextField
          label="Name"
          required
          minLength={4}
          maxLength={30}
          placeholder="Issue helper"
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          error={errorOf(create.error, 'name')}
          hint="4 to 30 letters, digits, spaces and hyphens."
        />
        <Applications chosen={draft.toolkits} onChange={(toolkits) => setDraft({ ...draft, toolkits })} />
        <CheckField
          label="Users can connect their accounts"
          hint="Clients see a tool that gives the user a link to connect what is missing."
          checked={draft.managed_auth_via_service}
          onChange={(event) => setDraft({ ...draft, managed_auth_via_service: event.target.checked })}
        />
        <FormActions
          request={create}
          action="Create server"
          isDisabled={draft.toolkits.length === 0}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

interface ApplicationsProps {
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** Applications whose tools the server offers: a search, and the chosen ones below it. */
function Applications({ chosen, onChange }: ApplicationsProps) {
  const [search, setSearch] = useState('')
  const toolkits = useApi<{ items: Toolkit[] }>(
    { path: '/toolkits', query: { search: search || undefined, limit: FOUND_MAX } },
    { keepPrevious: true },
  )
  const options = (toolkits.data?.items ?? [])
    .filter(({ slug }) => !chosen.includes(slug))
    .map(({ slug, name }) => ({ value: slug, label: name, hint: slug }))
  return (
    <>
      <Combobox
        // A new field for each choice, so that the text of the last one is gone.
        key={chosen.length}
        label="Add an application"
        options={options}
        value={undefined}
        onChange={(slug) => onChange([...chosen, slug])}
        onSearch={setSearch}
      />
      {chosen.length > 0 && (
        <ul className="chosen" aria-label="Chosen applications">
          {chosen.map((slug) => (
            <li key={slug}>
              {slug}
              <IconButton
                icon="close"
                label={`Remove ${slug}`}
                onClick={() => onChange(chosen.filter((other) => other !== slug))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
