// #region collect
import { visit } from '@doorplate/ahp-converse/client'
// #endregion collect

/** @param {string} credential */
export async function collectLater(credential) {
  // #region collect
  const site = await visit('https://books.example', { credential })
  const task = await site.ask('ask_a_person', 'Is the new translation any good?')
  const kept = JSON.stringify(task.status === 'accepted' ? task.handle : undefined)

  // Tomorrow, in another process:
  const again = await visit('https://books.example', { credential })
  const result = await again.job(JSON.parse(kept)).wait()
  console.log(result.status === 'success' ? result.answer : result.status)
  // #endregion collect
}
