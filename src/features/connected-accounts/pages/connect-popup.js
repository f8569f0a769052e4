// Opens the connect page of Patchbay in a popup, and resolves when it ends. Load it on the page that opens the popup
// and on the page of callback_url, which must have the same origin:
//
//   <script src="https://patchbay.example.com/connect.js"></script>
//
// The result comes from your own callback page, over a channel that only pages of your origin can use. It is a hint for
// the page: before you rely on it, read the account with your backend, or wait for connected_account.active.
;(() => {
  const CHANNEL = 'patchbay.connect'
  const TIMEOUT_MS = 15 * 60_000
  const CHECK_MS = 500
  /** A popup that closes itself returns the focus before its message arrives. */
  const GRACE_MS = 1_500
  const FEATURES = 'popup,width=560,height=760'

  /** Returns the URL of a link. Other schemes, such as javascript:, would run in the popup with your origin. */
  function connectUrl({ redirect_url: text } = {}) {
    const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
    if (url && /^https?:$/.test(url.protocol)) return url.href
    throw new TypeError('The link has no redirect_url. Return the response of POST /connected_accounts/link.')
  }

  /**
   * Opens the connect page. Call it from a click: browsers block other popups.
   * link: the response of POST /connected_accounts/link, or a function that gets it from your backend.
   * Resolves with { status: 'success' | 'failed' | 'closed', connectedAccountId, error }.
   * Rejects if the popup was blocked, the link is wrong, or nothing happened for timeoutMs (15 minutes).
   */
  async function openConnect({ link, timeoutMs = TIMEOUT_MS }) {
    // Before any wait: afterwards the browser no longer sees the click.
    const popup = window.open('about:blank', '_blank', FEATURES)
    if (!popup) throw new Error('The browser blocked the popup. Call openConnect from a click.')
    try {
      const response = await (typeof link === 'function' ? link() : link)
      const url = connectUrl(response)
      // Pages of the provider must not be able to navigate your page.
      popup.opener = null
      popup.location.replace(url)
      return await waitForResult(popup, response.connected_account_id, timeoutMs)
    } catch (error) {
      popup.close()
      throw error
    }
  }

  function waitForResult(popup, accountId, timeoutMs) {
    const channel = new BroadcastChannel(CHANNEL)
    let closedAt
    let check
    let timeout
    const ended = new Promise((resolve, reject) => {
      channel.addEventListener('message', ({ data }) => {
        if (isResult(data) && (accountId === undefined || data.connectedAccountId === accountId))
          resolve(data)
      })
      // Some providers cut the connection to the popup, which then looks closed; but only this page having the focus
      // again means that the user closed it.
      check = setInterval(() => {
        closedAt = popup.closed && document.hasFocus() ? (closedAt ?? Date.now()) : undefined
        if (closedAt !== undefined && Date.now() - closedAt > GRACE_MS)
          resolve({ status: 'closed', connectedAccountId: accountId ?? null, error: null })
      }, CHECK_MS)
      timeout = setTimeout(() => reject(new Error('The connection was not finished in time.')), timeoutMs)
    })
    return ended.finally(() => {
      clearInterval(check)
      clearTimeout(timeout)
      channel.close()
    })
  }

  const isResult = (data) =>
    typeof data === 'object' && data !== null && (data.status === 'success' || data.status === 'failed')

  /** Call it on the page of callback_url: reports its query parameters to the page that opened the popup. */
  function finishConnect() {
    const query = new URLSearchParams(location.search)
    const channel = new BroadcastChannel(CHANNEL)
    channel.postMessage({
      status: query.get('status'),
      connectedAccountId: query.get('connected_account_id'),
      error: query.get('error'),
    })
    channel.close()
    window.close()
  }

  window.Patchbay = Object.freeze({ openConnect, finishConnect })
})()
