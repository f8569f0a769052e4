/** Path of PUBLIC_URL, without a slash at the end: the server may be below a path of a proxy. */
export const PREFIX = document.documentElement.dataset['prefix'] ?? ''

export const API_PATH = `${PREFIX}/api/v3.1`
