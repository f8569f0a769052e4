import { Entries } from '../audit-log/audit-log.tsx'

/** Who changed what in the organization: what belongs to no project. */
export default function OrganizationAuditLog() {
  return (
    <Entries
      title="Audit log of the organization"
      lead="Who signed in, and who changed members, projects, organization keys and single sign-on."
      empty="Sign-ins, and changes of members, projects, organization keys and single sign-on appear here."
      path="/org/audit_log"
      file="organization-audit-log"
      always={{ scope: 'organization' }}
    />
  )
}
