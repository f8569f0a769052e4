import { AREAS } from '../../../contract/areas.ts'
import { currentProject, useStore } from '../../api/index.ts'
import { KeysPage } from './keys-page.tsx'

/** API keys of the current project. */
export default function ApiKeys() {
  const project = useStore(currentProject)
  return (
    <KeysPage
      title="API keys"
      lead="Keys of this project, for your applications and agents."
      path={project && `/org/owner/project/${project}/api_keys`}
      areas={AREAS}
    />
  )
}
