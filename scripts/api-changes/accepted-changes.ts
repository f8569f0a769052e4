const NUMBER = 'The specification has any number of seconds (decision 152). Clients read it as a number.'

/** Changes since the last release that break clients and are accepted, with the reason. A release empties the list. */
export const ACCEPTED_CHANGES: Readonly<Record<string, string>> = {
  'GET /org/project/config: response.signed_url_file_expiry_in_seconds can now be number': NUMBER,
  'PATCH /org/project/config: response.signed_url_file_expiry_in_seconds can now be number': NUMBER,
  'POST /tools/execute/{}: response.session_info can now be object':
    'The specification has this object (decision 152). It was always null, so no client can depend on it.',
}
