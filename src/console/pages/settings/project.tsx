import { useState } from 'react'
import type { ProjectConfig } from '../../../contract/projects/index.ts'
import { ApiFailure, may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  Card,
  CheckField,
  errorOf,
  Form,
  FormError,
  Loaded,
  Page,
  RestrictedForms,
  Select,
  showToast,
  TextField,
} from '../../components/index.ts'
import { BrandingFields, type FieldsProps } from './branding.tsx'

const CONFIG = { path: '/org/project/config' }

/** Settings of the project: branding of hosted pages, logs, and access. */
export default function ProjectSettings() {
  const me = useMe()
  const config = useApi<ProjectConfig>(CONFIG)
  return (
    <Page
      title="Project"
      lead="Settings of this project. They apply to all its API keys, sessions and hosted pages."
    >
      <RestrictedForms isAllowed={may(me.data, 'unrestricted')}>
        <Loaded query={config}>{(data) => <ProjectForm config={data} />}</Loaded>
      </RestrictedForms>
    </Page>
  )
}

function ProjectForm({ config }: { config: ProjectConfig }) {
  const [patch, setPatch] = useState<Partial<ProjectConfig>>({})
  const save = useApiMutation<Partial<ProjectConfig>>((body) => ({ ...CONFIG, method: 'PATCH', body }), {
    invalidates: [CONFIG.path],
    onSuccess: (_reply, saved) => {
      setPatch((current) => changedSince(saved, current))
      showToast('Settings saved')
    },
  })
  const values = { ...config, ...patch }
  const set = (change: Partial<ProjectConfig>) => setPatch((current) => ({ ...current, ...change }))
  const failure = save.error instanceof ApiFailure ? save.error : null
  return (
    <Form className="stack long-form" onSubmit={() => save.mutate(patch)}>
      <BrandingFields values={values} set={set} failure={failure} />
      <DataFields values={values} set={set} failure={failure} />
      <FormError failure={failure} />
      <div className="actions">
        <Button
          type="submit"
          look="primary"
          isBusy={save.isPending}
          disabled={Object.keys(patch).length === 0}
        >
          Save changes
        </Button>
      </div>
    </Form>
  )
}

/** Returns the fields of a patch that were entered while another patch was saved. */
const changedSince = (
  saved: Partial<ProjectConfig>,
  current: Partial<ProjectConfig>,
): Partial<ProjectConfig> =>
  Object.fromEntries(
    Object.entries(current).filter(([field, value]) => saved[field as keyof ProjectConfig] !== value),
  )

const DataFields = ({ values, set, failure }: FieldsProps) => (
  <Card title="Data and access">
    <Select
      label="Arguments and results in logs"
      value={values.log_visibility_setting}
      onChange={(next) => set({ log_visibility_setting: next as ProjectConfig['log_visibility_setting'] })}
      options={[
        { value: 'show_all', label: 'Store them, encrypted' },
        { value: 'dont_store_data', label: 'Do not store them' },
      ]}
    />
    <TextField
      label="Days for which events can be replayed"
      type="number"
      min={1}
      max={365}
      value={values.event_retention_days}
      onChange={(event) => set({ event_retention_days: Number(event.target.value) })}
      error={errorOf(failure, 'event_retention_days')}
    />
    <CheckField
      label="Calls that name an account must name its user, too"
      checked={values.is_2FA_enabled}
      onChange={(event) => set({ is_2FA_enabled: event.target.checked })}
    />
    <CheckField
      label="MCP clients need an API key or the sign-in of a user"
      hint="Without it, everybody who knows the URL of an MCP server can call its tools as any user."
      checked={values.require_mcp_api_key}
      onChange={(event) => set({ require_mcp_api_key: event.target.checked })}
    />
    <CheckField
      label="Searches in sessions rank tools higher that this project called recently"
      hint="Only numbers of calls are read."
      checked={values.rank_tools_by_use}
      onChange={(event) => set({ rank_tools_by_use: event.target.checked })}
    />
    <CheckField
      label="Mask secrets of accounts in responses"
      checked={values.mask_secret_keys_in_connected_account}
      onChange={(event) => set({ mask_secret_keys_in_connected_account: event.target.checked })}
    />
  </Card>
)
