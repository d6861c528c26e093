/**
 * The dialog that shows the scenario as a link, as Markdown, as HTML to embed or as a command, and
 * copies it.
 */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { LONGEST_NOTE } from '../state.ts';
import { linkTexts } from '../texts/link.ts';
import { shareTexts } from '../texts/share.ts';
import { Check } from './check.tsx';
import { Choice } from './choice.tsx';
import { CopyButton, Dialog, addDialog } from './dialog.tsx';

/** What to share; the address is empty if the scenario is too long for one. */
interface Shared {
  address: string;
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
  link: (hide: string, note: string) => Shared | null,
  saveFile: () => void,
): () => void {
  const choices = signal<Choices>({ form: 'link', hide: new Set(), note: '' });
  const shared = signal<Shared | null>(null);
  const share = () => {
    const { hide, note } = choices.value;
    const parts = Object.keys(shareTexts.parts).filter((part) => hide.has(part));
    const now = link(parts.join(), note.trim());
    if (now !== null) shared.value = now;
    return now !== null;
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
  const text = shared === null ? '' : textOf(shared, choices.form);
  return (
    <Dialog
      name="share"
      title={shareTexts.title}
      buttons={
        <>
          <CopyButton field={field} />
          <button type="button" onClick={saveFile}>
            {linkTexts.file}
          </button>
        </>
      }
    >
      <div class="pick">
        <Choice
          label={shareTexts.form}
          value={choices.form}
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
      <p class="soft">{shared === null ? '' : about(shared, choices.form, text.length)}</p>
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

/** What is copied in a form. */
function textOf({ address, command }: Shared, form: string) {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  switch (form) {
    case 'markdown':
      // In angle brackets, so that a parenthesis does not end the address.
      return `[${shareTexts.called}](<${address}>)`;
    case 'embed':
      return `<iframe src="${escaped}" title="${shareTexts.called}" width="100%" height="800"></iframe>`;
    case 'command':
      return command;
    default:
      return address;
  }
}

/** What there is to know about it. */
function about({ digest, trace }: Shared, form: string, length: number) {
  const described =
    form === 'command'
      ? shareTexts.commandAbout
      : digest
        ? shareTexts.about(length)
        : shareTexts.withoutDigest(length);
  return trace ? `${described} ${shareTexts.traceStays(trace)}` : described;
}
