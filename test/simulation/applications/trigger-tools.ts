type Args = Record<string, unknown>

/**
 * The tool that causes the event of a trigger, and a word that the payload then contains. The events of all other
 * triggers are caused in the simulation.
 */
export const CAUSING_TOOLS: Readonly<Record<string, readonly [tool: string, args: Args, shows?: string]>> = {
  AIRTABLE_NEW_RECORD_TRIGGER: [
    'AIRTABLE_CREATE_RECORDS',
    { base_id: 'appLkNDICXNqxSDhG', table: 'Projects', records: [{ fields: { Name: 'Zuse' } }] },
    'Zuse',
  ],
  ASANA_TASK_CREATED_TRIGGER: [
    'ASANA_CREATE_TASK',
    { name: 'Water the plants', projects: ['1200000000000001'] },
    'Water the plants',
  ],
  CLICKUP_TASK_CREATED_TRIGGER: ['CLICKUP_CREATE_TASK', { list_id: '901234567890', name: 'Call Bob' }],
  CONFLUENCE_PAGE_CREATED_TRIGGER: [
    'CONFLUENCE_CREATE_PAGE',
    { space_id: '98306', title: 'Minutes', body: '<p>x</p>' },
    'Minutes',
  ],
  DISCORD_NEW_MESSAGE_TRIGGER: [
    'DISCORD_SEND_MESSAGE',
    { channel_id: '1234567890123456789', content: 'Good morning' },
    'Good morning',
  ],
  DROPBOX_FILE_CHANGED_TRIGGER: [
    'DROPBOX_UPLOAD_FILE',
    { path: '/plan.txt', file: { content: 'Plan.' } },
    '/plan.txt',
  ],
  GITHUB_COMMIT_EVENT: [
    'GITHUB_CREATE_OR_UPDATE_FILE_CONTENTS',
    { owner: 'octocat', repo: 'hello-world', path: 'a.md', message: 'Say hello', content: 'Hello' },
    'Say hello',
  ],
  GITHUB_ISSUE_ADDED_EVENT: [
    'GITHUB_CREATE_AN_ISSUE',
    { owner: 'octocat', repo: 'hello-world', title: 'It rains in' },
    'It rains in',
  ],
  GITHUB_ISSUE_COMMENT_ADDED_EVENT: [
    'GITHUB_CREATE_AN_ISSUE_COMMENT',
    { owner: 'octocat', repo: 'hello-world', issue_number: 42, body: 'Me too' },
    'Me too',
  ],
  GITHUB_PULL_REQUEST_EVENT: [
    'GITHUB_CREATE_A_PULL_REQUEST',
    { owner: 'octocat', repo: 'hello-world', title: 'Repair the roof', head: 'roof', base: 'main' },
    'Repair the roof',
  ],
  GITHUB_STAR_ADDED_EVENT: [
    'GITHUB_STAR_A_REPOSITORY_FOR_THE_AUTHENTICATED_USER',
    { owner: 'octocat', repo: 'hello-world' },
  ],
  GITLAB_COMMIT_EVENT_TRIGGER: [
    'GITLAB_COMMIT_FILES',
    {
      project_id: '278964',
      branch: 'main',
      commit_message: 'Say hello',
      actions: [{ action: 'create', file_path: 'a.md', content: 'Hello' }],
    },
    'Say hello',
  ],
  GITLAB_ISSUE_EVENT_TRIGGER: [
    'GITLAB_CREATE_ISSUE',
    { project_id: '278964', title: 'Red build' },
    'Red build',
  ],
  GITLAB_MERGE_REQUEST_EVENT_TRIGGER: [
    'GITLAB_CREATE_MERGE_REQUEST',
    { project_id: '278964', source_branch: 'a', target_branch: 'main', title: 'Green build' },
    'Green build',
  ],
  GMAIL_EMAIL_SENT_TRIGGER: [
    'GMAIL_SEND_EMAIL',
    { to: ['grace@example.com'], from: 'ada@example.com', subject: 'Report', body: 'It is ready.' },
    'Report',
  ],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CHANGE_TRIGGER: [
    'GOOGLECALENDAR_CREATE_EVENT',
    { summary: 'Lunch', start_date: '2026-06-02', end_date: '2026-06-03' },
    'Lunch',
  ],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CREATED_TRIGGER: [
    'GOOGLECALENDAR_CREATE_EVENT',
    { summary: 'Lunch', start_date: '2026-06-02', end_date: '2026-06-03' },
    'Lunch',
  ],
  GOOGLEDRIVE_FILE_CREATED_TRIGGER: [
    'GOOGLEDRIVE_CREATE_FILE',
    { name: 'Plan', mime_type: 'text/plain' },
    'Plan',
  ],
  GOOGLEDRIVE_GOOGLE_DRIVE_CHANGES: [
    'GOOGLEDRIVE_CREATE_FILE',
    { name: 'Plan', mime_type: 'text/plain' },
    'Plan',
  ],
  HUBSPOT_CONTACT_CREATED_TRIGGER: [
    'HUBSPOT_CREATE_CONTACT',
    { properties: { email: 'grace@example.com' } },
    'grace@example.com',
  ],
  HUBSPOT_DEAL_CREATED_TRIGGER: ['HUBSPOT_CREATE_DEAL', { properties: { dealname: 'Big one' } }, 'Big one'],
  INTERCOM_NEW_CONVERSATION_TRIGGER: ['INTERCOM_CREATE_CONVERSATION', { contact_id: '1', body: 'Help me' }],
  JIRA_NEW_ISSUE_TRIGGER: [
    'JIRA_CREATE_ISSUE',
    { project_key: 'ENG', issue_type: 'Bug', summary: 'It rains in' },
    'It rains in',
  ],
  JIRA_UPDATED_ISSUE_TRIGGER: [
    'JIRA_CREATE_ISSUE',
    { project_key: 'ENG', issue_type: 'Bug', summary: 'It rains in' },
    'It rains in',
  ],
  LINEAR_COMMENT_EVENT_TRIGGER: [
    'LINEAR_CREATE_COMMENT',
    { issue_id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', body: 'Me too' },
    'Me too',
  ],
  LINEAR_ISSUE_CREATED_TRIGGER: [
    'LINEAR_CREATE_ISSUE',
    { team_id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', title: 'It rains in' },
    'It rains in',
  ],
  NODERED_FLOW_ADDED: ['NODERED_CREATE_FLOW', { label: 'Heating', nodes: [] }, 'Heating'],
  NOTION_COMMENTS_ADDED_TRIGGER: [
    'NOTION_CREATE_COMMENT',
    { block_id: '5c6a28216bb14a7eb6e1c50111515c3d', markdown: 'Well said' },
  ],
  NOTION_PAGE_ADDED_TO_DATABASE: [
    'NOTION_CREATE_PAGE',
    { parent_data_source_id: '1a44be12-0953-4631-b498-9e5817518db8', properties: { Name: 'Zuse' } },
    'Zuse',
  ],
  OUTLOOK_CONTACT_TRIGGER: ['OUTLOOK_CREATE_CONTACT', { given_name: 'Grace' }],
  OUTLOOK_EVENT_TRIGGER: [
    'OUTLOOK_CREATE_EVENT',
    {
      subject: 'Lunch',
      start: { dateTime: '2026-06-02T12:00:00', timeZone: 'UTC' },
      end: { dateTime: '2026-06-02T13:00:00', timeZone: 'UTC' },
    },
  ],
  OUTLOOK_SENT_MESSAGE_TRIGGER: [
    'OUTLOOK_SEND_EMAIL',
    {
      subject: 'Report',
      body: 'It is ready.',
      to_recipients: [{ emailAddress: { address: 'grace@example.com' } }],
    },
    'Report',
  ],
  SALESFORCE_NEW_LEAD_TRIGGER: ['SALESFORCE_CREATE_LEAD', { LastName: 'Hopper', Company: 'Navy' }, 'Navy'],
  SHOPIFY_PRODUCT_CREATED_TRIGGER: ['SHOPIFY_CREATE_PRODUCT', { title: 'Umbrella' }, 'Umbrella'],
  STRIPE_SUBSCRIPTION_ADDED_TRIGGER: [
    'STRIPE_CREATE_SUBSCRIPTION',
    { customer: 'cus_NffrFeUfNV2Hib', items: [{ price: 'price_1' }] },
    'cus_NffrFeUfNV2Hib',
  ],
  TRELLO_NEW_CARD_TRIGGER: [
    'TRELLO_CREATE_CARD',
    { idList: '5abbe4b7ddc1b351ef961415', name: 'Buy milk' },
    'Buy milk',
  ],
  TRELLO_NEW_COMMENT_TRIGGER: [
    'TRELLO_ADD_COMMENT',
    { idCard: '5abbe4de7ad532f0a4b5c1a2', text: 'Done' },
    'Done',
  ],
  ZENDESK_NEW_TICKET_TRIGGER: [
    'ZENDESK_CREATE_TICKET',
    { comment: 'Nothing works', subject: 'Help' },
    'Help',
  ],
}

/**
 * Tools that change an object that was there before, for which these triggers have no event; `$id` is the value of
 * the field `id` of the object.
 */
export const CHANGING_TOOLS: Readonly<Record<string, readonly [tool: string, args: Args, id: string]>> = {
  ASANA_TASK_CREATED_TRIGGER: ['ASANA_UPDATE_TASK', { task_gid: '$id', name: 'Repot the plants' }, 'gid'],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CREATED_TRIGGER: [
    'GOOGLECALENDAR_UPDATE_EVENT',
    { event_id: '$id', summary: 'Late lunch' },
    'id',
  ],
  GITHUB_ISSUE_ADDED_EVENT: [
    'GITHUB_UPDATE_AN_ISSUE',
    { owner: 'octocat', repo: 'hello-world', issue_number: '$id', title: 'It is dry' },
    'number',
  ],
}
