// What is said on demand, in German.

/** @type {import("./words.js").Rarely} */
export const rarely = {
  place: "Sie haben Platz {position} in der Warteschlange für einen Menschen.",
  waitUnknown: "Wir wissen noch nicht, wie lange es dauert.",
  waitKnown: "Andere haben zuletzt etwa {wait} gewartet.",
  closed:
    "Unser Team ist gerade nicht da und am {day}, {time} Ihrer Zeit, wieder zurück. Sie können hier weiterschreiben.",
  joined: "{name} ist jetzt da. Sie sprechen mit einem Menschen.",
  types: "{name} schreibt…",
  seen: "Gesehen",
  rate: "Wie war die Hilfe?",
  score: "{score} von 5",
  worst: "Sehr schlecht",
  best: "Sehr gut",
  comment: "Möchten Sie etwas hinzufügen? (freiwillig)",
  sendRating: "Bewertung senden",
  rated: "Danke für Ihre Bewertung.",
  restart: "Neue Unterhaltung",
  download: "Unterhaltung herunterladen",
  attach: "Bild anhängen",
  imagesOnly: "Nur Bilder bis 5 MB können gesendet werden: PNG, JPEG, WebP oder GIF.",
  restartAsk: "Eine neue Unterhaltung beginnen? Unser Team behält diese, aber Sie sehen sie hier dann nicht mehr.",
  cancel: "Abbrechen",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
  edited: "bearbeitet",
  deleted: "Diese Nachricht wurde gelöscht.",
  tryAgain: "Noch einmal versuchen",
};
