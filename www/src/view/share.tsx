/**
 * The dialog that shows the scenario as a link, as Markdown, as HTML to embed or as a command, and
 * copies it.
 */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { LONG } from '../link-form.ts';
import { passedOn } from '../short-link.ts';
import { LONGEST_NOTE } from '../state.ts';
import { linkTexts } from '../texts/link.ts';
import { qrCodeTexts } from '../texts/qr-code.ts';
import { shareTexts } from '../texts/share.ts';
import { Check } from './check.tsx';
import { Choice } from './choice.tsx';
import { CopyButton, Dialog, addDialog } from './dialog.tsx';
import { showCode } from './qr-code.tsx';

/** What to share. */
interface Shared {
  address: string;
  /** The address as it is passed on; null until that is known. */
  passed: string | null;
  digest: boolean;
  trace: string;
  command: string;
}

/** What the user chose: the form, the parts hidden from visitors, and a note for them. */
interface Choices {
  form: string;
  hide: ReadonlySet<string>;
  note: string;
}

/**
 * @param link the current scenario to share with these parts hidden and this note, if it is valid
 * @param saveFile saves the scenario as a file
 * @returns opens the dialog
 */
export function shareDialog(
  link: (hide: string, note: string) => Omit<Shared, 'passed'> | null,
  saveFile: () => void,
): () => void {
  const choices = signal<Choices>({ form: 'link', hide: new Set(), note: '' });
  const shared = signal<Shared | null>(null);
  const share = () => {
    const { hide, note } = choices.value;
    const parts = Object.keys(shareTexts.parts).filter((part) => hide.has(part));
    const now = link(parts.join(), note.trim());
    if (now === null) return false;
    const mine = { ...now, passed: now.address.length > LONG ? null : now.address };
    shared.value = mine;
    if (mine.passed === null)
      void passedOn(mine.address).then((passed) => {
        if (shared.peek() === mine) shared.value = { ...mine, passed };
      });
    return true;
  };
  const choose = (change: Partial<Choices>) => {
    choices.value = { ...choices.value, ...change };
    share();
  };
  const Drawn = () => (
    <Share shared={shared.value} choices={choices.value} choose={choose} saveFile={saveFile} />
  );
  const dialog = addDialog(<Drawn />);
  return () => {
    if (share()) dialog.showModal();
  };
}

interface ShareParts {
  shared: Shared | null;
  choices: Choices;
  choose: (change: Partial<Choices>) => void;
  saveFile: () => void;
}

function Share({ shared, choices, choose, saveFile }: ShareParts) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { form } = choices;
  const text = shared === null ? '' : textOf(shared, form);
  return (
    <Dialog
      name="share"
      title={shareTexts.title}
      buttons={
        <>
          <CopyButton field={field} />
          <button
            type="button"
            disabled={shared === null || !isShort(shared)}
            onClick={() => void showCode(shared?.address ?? '')}
          >
            {qrCodeTexts.title}
          </button>
          <button type="button" onClick={saveFile}>
            {linkTexts.file}
          </button>
        </>
      }
    >
      <div class="pick">
        <Choice
          label={shareTexts.form}
          value={form}
          choices={Object.entries(shareTexts.forms)}
          choose={(form) => choose({ form })}
        />
      </div>
      <textarea
        ref={field}
        readOnly
        aria-label={shareTexts.label}
        spellcheck={false}
        value={text}
      />
      <p class="soft">{shared === null ? '' : about(shared, form, text.length)}</p>
      <Lesson choices={choices} choose={choose} />
    </Dialog>
  );
}

/** What a teacher hides from those who open the link, and says to them. */
function Lesson({ choices: { hide, note }, choose }: Pick<ShareParts, 'choices' | 'choose'>) {
  const turn = (part: string, off: boolean) =>
    choose({ hide: new Set(off ? [...hide, part] : [...hide].filter((each) => each !== part)) });
  return (
    <details class="more">
      <summary>{shareTexts.lesson}</summary>
      <p class="soft">{shareTexts.lessonHelp}</p>
      {Object.entries(shareTexts.parts).map(([part, words]) => (
        <Check
          key={part}
          words={words}
          value={part}
          isOn={hide.has(part)}
          turn={(isOn) => turn(part, isOn)}
        />
      ))}
      <label class="lesson-note">
        <span>{shareTexts.noteLabel}</span>
        <input
          type="text"
          maxLength={LONGEST_NOTE}
          value={note}
          onInput={({ currentTarget }) => choose({ note: currentTarget.value })}
        />
      </label>
    </details>
  );
}

/** HTML that embeds an address of the page. */
export function iframeOf(address: string) {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<iframe src="${escaped}" title="${shareTexts.called}" width="100%" height="800"></iframe>`;
}

/** Whether what is passed on is known, and no longer than programs on its way keep. */
function isShort<Some extends Shared>(shared: Some): shared is Some & { passed: string } {
  return shared.passed !== null && shared.passed.length <= LONG;
}

/** What is copied in a form. */
function textOf(shared: Shared, form: string) {
  if (form === 'command') return shared.command;
  if (!isShort(shared)) return '';
  const { passed } = shared;
  switch (form) {
    case 'markdown':
      // In angle brackets, so that a parenthesis does not end the address.
      return `[${shareTexts.called}](<${passed}>)`;
    case 'embed':
      return iframeOf(passed);
    default:
      return passed;
  }
}

/** What there is to know about it. */
function about(shared: Shared, form: string, length: number) {
  const { address, passed, digest, trace } = shared;
  const stays = trace ? shareTexts.traceStays(trace) : '';
  if (form === 'command') return `${shareTexts.commandAbout} ${stays}`.trim();
  if (passed === null) return '';
  if (!isShort(shared)) return shareTexts.tooLong(passed.length, LONG);
  const described = digest ? shareTexts.about(length) : shareTexts.withoutDigest(length);
  const short = passed === address ? '' : shareTexts.short(address.length);
  return [described, short, stays].filter(Boolean).join(' ');
}
