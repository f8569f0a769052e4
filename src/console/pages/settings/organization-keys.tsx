import { ORGANIZATION_AREAS } from '../../../contract/areas.ts'
import { KeysPage } from './keys-page.tsx'

/** API keys of the organization: they manage projects, and their keys. */
export default function OrganizationKeys() {
  return (
    <KeysPage
      title="Organization keys"
      lead="Keys for programs that manage all projects. An agent or application needs a key of its project instead."
      path="/org/api_keys"
      areas={ORGANIZATION_AREAS}
    />
  )
}
