import { useMemo, useState } from 'react'
import type { Member } from '../../../contract/members.ts'
import { useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  CodeBlock,
  type Column,
  ConfirmDialog,
  DateTime,
  Dialog,
  EmptyState,
  errorOf,
  Form,
  FormActions,
  FormError,
  Loaded,
  Menu,
  Icon,
  Page,
  Select,
  showToast,
  StatusBadge,
  Table,
  TextField,
} from '../../components/index.ts'
import { ROLE_OPTIONS } from './role-options.ts'

const PATH = '/org/members'
const ORGANIZATION = ['owner', 'admin']

/**
 * Returns the fields of the API for a role as the form shows it: below administrator, it counts in all given projects.
 */
const roleFields = (role: string, projects: readonly { id: string }[]) =>
  ORGANIZATION.includes(role)
    ? { role, projects: [] }
    : { role: 'member', projects: projects.map(({ id }) => ({ project_id: id, role })) }

const roleText = ({ role, projects }: Member): string => {
  if (role !== 'member') return ROLE_OPTIONS.find(({ value }) => value === role)?.label ?? role
  const roles = [...new Set(projects.map((project) => project.role))]
  return roles.length === 0
    ? 'No project'
    : `${roles.join(', ')} in ${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`
}

interface RowActions {
  createLink(member: Member): void
  remove(member: Member): void
}

const columnsOf = ({ createLink, remove }: RowActions): Column<Member>[] => [
  {
    id: 'name',
    header: 'Member',
    cell: ({ row: { original } }) => (
      <>
        <strong>{original.name}</strong>
        <div className="hint">{original.email}</div>
      </>
    ),
  },
  { id: 'role', header: 'Role', cell: ({ row: { original } }) => roleText(original) },
  {
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => <StatusBadge status={original.status} />,
  },
  {
    id: 'factor',
    header: 'Second factor',
    cell: ({ row: { original } }) => (original.has_second_factor ? 'On' : 'Off'),
  },
  {
    id: 'last',
    header: 'Last sign-in',
    cell: ({ row: { original } }) => <DateTime value={original.last_sign_in_at} />,
  },
  {
    id: 'actions',
    header: () => <span className="visually-hidden">Actions</span>,
    cell: ({ row: { original } }) => (
      <Menu
        className="icon-button"
        label={`Actions for ${original.email}`}
        trigger={<Icon name="more" />}
        items={[
          { label: 'New password link', icon: 'key', onSelect: () => createLink(original) },
          { label: 'Remove', icon: 'trash', isDanger: true, onSelect: () => remove(original) },
        ]}
      />
    ),
  },
]

/** The people who may sign in, their roles, and invitations. */
export default function Members() {
  const members = useApi<{ items: Member[] }>({ path: PATH })
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Member>()
  const [link, setLink] = useState<string>()
  const newLink = useApiMutation<Member, { url: string }>(
    ({ id }) => ({ method: 'POST', path: `${PATH}/${id}/link` }),
    { invalidates: [PATH], onSuccess: ({ url }) => setLink(url) },
  )
  const createLink = newLink.mutate
  const columns = useMemo(() => columnsOf({ createLink, remove: setRemoved }), [createLink])
  return (
    <Page
      title="Members"
      lead="People who may sign in to the console. What they change is in the audit log under their name."
      actions={
        <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
          Invite a member
        </Button>
      }
    >
      <Loaded query={members}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="users" title="No members yet">
              Invite the first one, or open the set-up link of the server.
            </EmptyState>
          ) : (
            <Table label="Members" columns={columns} rows={items} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <FormError failure={newLink.error} />
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(url) => {
            setInviting(false)
            setLink(url)
          }}
        />
      )}
      <Dialog
        title="Pass this link on"
        isOpen={link !== undefined}
        onClose={() => setLink(undefined)}
        description="It works once, for seven days, and is shown only now. The server sends no e-mail."
      >
        <CodeBlock label="One-time link" code={link ?? ''} />
      </Dialog>
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

function InviteDialog({ onClose, onInvited }: { onClose(): void; onInvited(url: string): void }) {
  const me = useMe()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState('developer')
  const invite = useApiMutation<void, { url: string }>(
    () => ({
      method: 'POST',
      path: `${PATH}/invites`,
      body: { email, name, ...roleFields(role, me.data?.projects ?? []) },
    }),
    { invalidates: [PATH], onSuccess: ({ url }) => onInvited(url) },
  )
  return (
    <Dialog title="Invite a member" isOpen onClose={onClose}>
      <Form onSubmit={() => invite.mutate()}>
        <TextField
          label="E-mail address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={errorOf(invite.error, 'email')}
        />
        <TextField
          label="Name"
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf(invite.error, 'name')}
        />
        <Select label="Role" options={ROLE_OPTIONS} value={role} onChange={setRole} />
        {!ORGANIZATION.includes(role) && (
          <p className="hint">
            The role applies to every project that exists now. It can be changed for each project with the
            command line.
          </p>
        )}
        <FormActions request={invite} action="Create invitation" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function RemoveDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `${PATH}/${member.id}` }), {
    invalidates: [PATH],
    onSuccess: () => {
      showToast('Member removed')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      action="Remove member"
      isOpen
      request={remove}
      onClose={onClose}
    >
      <p>The sessions of {member.email} end at once. What this person did stays in the audit log.</p>
    </ConfirmDialog>
  )
}
