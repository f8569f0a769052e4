import { may, useMe } from '../../../api/index.ts'
import { Loaded, Page, Permitted } from '../../../components/index.ts'
import { OrganizationProvider } from './organization-provider.tsx'
import { ProjectProvider } from './project-provider.tsx'

/** The identity providers of members and of the users of MCP clients. */
export default function Sso() {
  const me = useMe()
  return (
    <Page
      title="Single sign-on"
      lead="Members and users sign in at your OpenID Connect provider, such as Okta, Keycloak or Entra ID."
    >
      <Loaded query={me}>
        {(person) => (
          <div className="stack">
            <Permitted isAllowed={may(person, 'administrator')}>
              <OrganizationProvider
                mayChange={person.role === 'owner' || person.kind === 'organization_key'}
              />
            </Permitted>
            <ProjectProvider />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
