import { Button, IconButton, Select, TextField } from '../../../components/index.ts'
import { ROLE_OPTIONS } from '../role-options.ts'

export interface MappedRole {
  /** Tells rows apart while their groups are typed. */
  key: number
  group: string
  role: string
}

interface Props {
  rows: readonly MappedRole[]
  onChange(rows: MappedRole[]): void
}

/** The roles of groups, one in a row. */
export function RoleMap({ rows, onChange }: Props) {
  const change = (key: number, part: Partial<MappedRole>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <fieldset>
      <legend>Roles by group</legend>
      <p className="hint">
        With roles here, each sign-in sets the role of the person; the highest one counts. Without any, roles
        are managed on the page Members.
      </p>
      {rows.map((row) => (
        <div key={row.key} className="row">
          <TextField
            label="Group"
            required
            maxLength={256}
            value={row.group}
            onChange={(event) => change(row.key, { group: event.target.value })}
          />
          <Select
            label="Role"
            options={ROLE_OPTIONS}
            value={row.role}
            onChange={(role) => change(row.key, { role })}
          />
          <IconButton
            icon="trash"
            label={`Remove the role of ${row.group || 'the new group'}`}
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        </div>
      ))}
      <Button
        isSmall
        icon="plus"
        onClick={() =>
          onChange([
            ...rows,
            { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, group: '', role: 'developer' },
          ])
        }
      >
        Add a group
      </Button>
    </fieldset>
  )
}
