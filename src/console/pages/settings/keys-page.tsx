import { useMemo, useState } from 'react'
import { useApi, useApiMutation } from '../../api/index.ts'
import {
  Button,
  CheckField,
  type Column,
  DateTime,
  Dialog,
  EmptyState,
  errorOf,
  Form,
  FormActions,
  IconButton,
  Loaded,
  Page,
  Table,
  TextField,
} from '../../components/index.ts'
import { ExpiryField, type Key, NewKeyDialog, RevokeDialog, RotateDialog } from './api-key-dialogs.tsx'

const permissionsText = ({ permissions }: Key): string =>
  permissions === null
    ? 'All'
    : Object.entries(permissions as Record<string, string[]>)
        .map(([area, levels]) => `${area}: ${levels.join(', ')}`)
        .join(' · ') || 'None'

const columnsOf = ({ revoke, rotate }: Record<'revoke' | 'rotate', (key: Key) => void>): Column<Key>[] => [
  { id: 'name', header: 'Name', cell: ({ row: { original } }) => <strong>{original.name}</strong> },
  { id: 'key', header: 'Key', cell: ({ row: { original } }) => <code>{original.key}</code> },
  { id: 'permissions', header: 'Permissions', cell: ({ row: { original } }) => permissionsText(original) },
  {
    id: 'ips',
    header: 'IP addresses',
    cell: ({ row: { original } }) => original.allowed_ips.join(', ') || 'All',
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ row: { original } }) => <DateTime value={original.created_at} />,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ row: { original } }) =>
      original.last_used_at === null ? 'Never' : <DateTime value={original.last_used_at} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ row: { original } }) =>
      original.expires_at === null ? 'Never' : <DateTime value={original.expires_at} />,
  },
  {
    id: 'actions',
    header: () => <span className="visually-hidden">Actions</span>,
    cell: ({ row: { original } }) => (
      <>
        {original.replaced_by === null && (
          <IconButton icon="refresh" label={`Rotate ${original.name}`} onClick={() => rotate(original)} />
        )}
        <IconButton icon="trash" label={`Revoke ${original.name}`} onClick={() => revoke(original)} />
      </>
    ),
  },
]

type Areas = Readonly<Record<string, readonly string[]>>

interface KeysPageProps {
  title: string
  lead: string
  /** Path of the list; undefined while the project is unknown. */
  path: string | undefined
  /** Permission areas with their levels. */
  areas: Areas
}

/** A list of API keys: create, restrict, rotate, revoke. */
export function KeysPage({ title, lead, path = '', areas }: KeysPageProps) {
  const keys = useApi<{ items: Key[] }>(path ? { path } : undefined)
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<string>()
  const [revoked, setRevoked] = useState<Key>()
  const [rotated, setRotated] = useState<Key>()
  const columns = useMemo(() => columnsOf({ revoke: setRevoked, rotate: setRotated }), [])
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="key" title="There are no keys">
              Create one to call the API.
            </EmptyState>
          ) : (
            <Table label={title} columns={columns} rows={items} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {isCreating && (
        <CreateDialog
          path={path}
          areas={areas}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      <NewKeyDialog value={created} onClose={() => setCreated(undefined)} />
      {rotated && (
        <RotateDialog
          path={path}
          item={rotated}
          onClose={() => setRotated(undefined)}
          onRotated={(key) => {
            setRotated(undefined)
            setCreated(key)
          }}
        />
      )}
      {revoked && <RevokeDialog path={path} item={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  )
}

/** Returns the body that creates a key. Fields that are empty are left out. */
const draftOf = ({
  name,
  permissions,
  ips,
  expiry,
}: {
  name: string
  permissions: Areas | undefined
  ips: string
  expiry: string
}) => ({
  ...(name && { name }),
  ...(permissions && {
    permissions: Object.fromEntries(Object.entries(permissions).filter(([, levels]) => levels.length > 0)),
  }),
  ...(ips.trim() && { allowed_ips: ips.split(/[\s,]+/).filter(Boolean) }),
  ...(expiry && { expires_at: `${expiry}T23:59:59Z` }),
})

/** One check box for each level of each permission area. */
function PermissionFields({
  areas,
  chosen,
  onChange,
}: {
  areas: Areas
  chosen: Areas
  onChange(next: Areas): void
}) {
  const toggle = (area: string, level: string, isOn: boolean) => {
    const levels = (chosen[area] ?? []).filter((one) => one !== level)
    onChange({ ...chosen, [area]: isOn ? [...levels, level] : levels })
  }
  return (
    <div className="row">
      {Object.entries(areas).flatMap(([area, levels]) =>
        levels.map((level) => (
          <CheckField
            key={`${area}:${level}`}
            label={`${area}: ${level}`}
            checked={chosen[area]?.includes(level) ?? false}
            onChange={(event) => toggle(area, level, event.target.checked)}
          />
        )),
      )}
    </div>
  )
}

function CreateDialog({
  path,
  areas,
  onClose,
  onCreated,
}: {
  path: string
  areas: Areas
  onClose(): void
  onCreated(key: string): void
}) {
  const [name, setName] = useState('')
  const [isRestricted, setRestricted] = useState(false)
  const [chosen, setChosen] = useState<Areas>({})
  const [ips, setIps] = useState('')
  const [expiry, setExpiry] = useState('')
  const create = useApiMutation<void, { key: string }>(
    () => ({
      method: 'POST',
      path,
      body: draftOf({ name, permissions: isRestricted ? chosen : undefined, ips, expiry }),
    }),
    { invalidates: [path], onSuccess: ({ key }) => onCreated(key) },
  )
  return (
    <Dialog title="Create an API key" isOpen onClose={onClose} isWide>
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="Name"
          placeholder="What uses this key"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf(create.error, 'name')}
        />
        <CheckField
          label="Restrict what the key may do"
          checked={isRestricted}
          onChange={(event) => setRestricted(event.target.checked)}
        />
        {isRestricted && <PermissionFields areas={areas} chosen={chosen} onChange={setChosen} />}
        <TextField
          label="IP addresses"
          hint="IP addresses or ranges such as 10.0.0.0/8, separated by commas. Empty: all."
          value={ips}
          onChange={(event) => setIps(event.target.value)}
          error={errorOf(create.error, 'allowed_ips')}
        />
        <ExpiryField value={expiry} onChange={setExpiry} error={errorOf(create.error, 'expires_at')} />
        <FormActions request={create} action="Create key" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
