/** The roles of members as forms offer them, from the most to the least permissions. */
export const ROLE_OPTIONS = [
  { value: 'owner', label: 'Owner', hint: 'Everything, and changes owners' },
  { value: 'admin', label: 'Administrator', hint: 'All projects, keys and members' },
  { value: 'developer', label: 'Developer', hint: 'Tools, accounts, sessions and triggers' },
  { value: 'operator', label: 'Operator', hint: 'Accounts and approvals' },
  { value: 'viewer', label: 'Viewer', hint: 'Reads only' },
] as const
