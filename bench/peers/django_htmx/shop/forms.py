"""The forms of the slice."""

from django import forms

from shop.texts import TEXTS

LEAST = 31


class CodeRequestForm(forms.Form):
    """Who wants to log in."""

    order_number = forms.CharField(max_length=20)
    email = forms.EmailField()


class CodeForm(forms.Form):
    """The code from the mail."""

    code = forms.RegexField(r"^\d{6}$")


class DamageForm(forms.Form):
    """What is broken, with a story for each part."""

    parts = forms.MultipleChoiceField(choices=list(TEXTS["parts"].items()))

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for part in TEXTS["parts"]:
            self.fields[f"details_{part}"] = forms.CharField(required=False, max_length=1000)

    def clean(self):
        """Each part that is chosen needs its story; the others are forgotten."""
        answers = super().clean()
        chosen = answers.get("parts", [])
        for part in TEXTS["parts"]:
            name = f"details_{part}"
            if part not in chosen:
                answers.pop(name, None)
            elif len(answers.get(name, "")) < LEAST:
                self.add_error(name, f"Vul minstens {LEAST} tekens in.")
        return answers
