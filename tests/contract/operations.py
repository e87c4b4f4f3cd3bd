"""Every operation of the contract, called with something typical."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from portal.account.api import AccountApi, CustomerUpdate
from portal.bikes.api import BikesApi
from portal.contract.account import LocalizedText
from portal.contract.common_api import ChangesApi, SessionApi, TermsApi, Watch
from portal.contract.registry import Provider
from portal.contract.session import CodeEntry, CodeRequest, LeaseRequest, LocaleChoice, Origin
from portal.contracts.api import ContractsApi, EndEntry, GuestContract, GuestEnd
from portal.conversations.api import (
    AnswerEntry,
    AnswerText,
    ConversationsApi,
    MessageEntry,
    StaffConversationsApi,
    TemplateChange,
    TemplateChoice,
    TemplateEntry,
)
from portal.deliveries.api import DateChoice, DeliveriesApi, TrackingEntry
from portal.exports.api import (
    BatchChoice,
    ChosenRefunds,
    DeliverySearch,
    ExportsApi,
    Replay,
    WebhookEntry,
    WebhooksApi,
)
from portal.flow.api import DraftStart, FlowApi, PhonePlace, StepEntry, SubjectSearch, Submission, UploadStart
from portal.insurance.api import InsuranceApi
from portal.links.api import LinkEntry, LinksApi
from portal.locations.api import LocationsApi, LocationSearch
from portal.login.api import (
    EmailChange,
    EmailChangeCode,
    LoginApi,
    NewPasskey,
    NewPassword,
    PasskeyAnswer,
    PasskeyPage,
    PasskeysApi,
    PasswordEntry,
    PasswordLink,
    PasswordResetRequest,
    VisitLink,
)
from portal.orders.api import OrdersApi
from portal.overview.api import MileageEntry, OverviewApi
from portal.pictures.api import PicturesApi
from portal.privacy.api import ErasureCode, PrivacyApi
from portal.recalls.api import RecallsApi, RemedyChoice
from portal.returns.api import BatteryAnswer, OwnRefundAccount, RefundAccount, ReturnsApi
from portal.service_packages.api import ServicePackagesApi
from portal.vocabulary.actions import Topic
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.exchange import DeliveryState, RefundWay
from portal.vocabulary.links import LinkPurpose
from portal.withdrawals.api import GuestOrder, GuestWithdrawal, WithdrawalEntry, WithdrawalsApi
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.repair import REPAIR
from tests.contract.staff_operations import WITH_STAFF_SESSION, WITHOUT_STAFF_SESSION, flowing

ORIGIN = Origin(address="192.0.2.7", locale="nl")

UPDATE = CustomerUpdate(
    first_name="Sanne",
    last_name="Bakker",
    post_code="3511 LX",
    house_number="12",
    street="Oudegracht",
    city="Utrecht",
    country_code="NL",
    phone="030 231 1234",
)

LINK = LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash="a" * 43)
WITHDRAWAL = WithdrawalEntry(order_number="900000001", name="Sanne Bakker", key="withdrawal-1")
END = EndEntry(name="Sanne Bakker", ending=EndKind.WITHDRAWAL, key="contract-1")
WEBHOOK = WebhookEntry(url="http://127.0.0.1:9/events")
GUEST_CONTRACT = GuestContract(reference="ABCD2345", email="nobody@example.com")
GUEST_END = GuestEnd(**GUEST_CONTRACT.model_dump(), **END.model_dump())
ANSWER = AnswerEntry(draft_id="ABCDEFGH23", text="Ja")
TEMPLATE = TemplateEntry(template="thank-you", key="message-1")
TEXTS = LocalizedText(nl="Bedankt", en="Thank you")
PAGE = PasskeyPage(origin="http://localhost:8000")
NO_ANSWER: dict[str, Any] = {**PAGE.model_dump(), "challenge": "x" * 43, "credential": {}}
GUEST = GuestOrder(order_number="900000001", email="nobody@example.com")
GUEST_WITHDRAWAL = GuestWithdrawal(order_number="900000001", email="nobody@example.com", name="x", key="withdrawal-1")


Operation = Callable[[Provider, str], Awaitable[Any]]

WITH_SESSION: dict[str, Operation] = {
    "check_session": lambda provider, token: provider.ask(SessionApi).check_session(token),
    "customer_info": lambda provider, token: provider.ask(SessionApi).customer_info(token),
    "update_customer": lambda provider, token: provider.ask(AccountApi).update_customer(token, UPDATE),
    "change_locale": lambda provider, token: provider.ask(SessionApi).change_locale(token, LocaleChoice(locale="en")),
    "request_email_change": lambda provider, token: provider.ask(LoginApi).request_email_change(
        token, EmailChange(email="new@example.com")
    ),
    "confirm_email_change": lambda provider, token: provider.ask(LoginApi).confirm_email_change(
        token, EmailChangeCode(code="123456")
    ),
    "passkeys": lambda provider, token: provider.ask(PasskeysApi).passkeys(token),
    "begin_passkey": lambda provider, token: provider.ask(PasskeysApi).begin_passkey(token, PAGE),
    "add_passkey": lambda provider, token: provider.ask(PasskeysApi).add_passkey(token, NewPasskey(**NO_ANSWER)),
    "remove_passkey": lambda provider, token: provider.ask(PasskeysApi).remove_passkey(token, "ABCDEFGH23"),
    "decline_passkeys": lambda provider, token: provider.ask(PasskeysApi).decline_passkeys(token),
    "dashboard": lambda provider, token: provider.ask(OverviewApi).dashboard(token),
    "line_actions": lambda provider, token: provider.ask(OverviewApi).line_actions(token, "900000001"),
    "own_request": lambda provider, token: provider.ask(OverviewApi).own_request(token, "ABCDEFGH"),
    "orders": lambda provider, token: provider.ask(OrdersApi).orders(token),
    "order": lambda provider, token: provider.ask(OrdersApi).order(token, "900000001"),
    "invoices": lambda provider, token: provider.ask(OrdersApi).invoices(token),
    "invoice": lambda provider, token: provider.ask(OrdersApi).invoice(token, "ABCDEFGH23"),
    "invoice_pdf": lambda provider, token: provider.ask(OrdersApi).invoice_pdf(token, "ABCDEFGH23", "nl"),
    "bikes": lambda provider, token: provider.ask(BikesApi).bikes(token),
    "bike": lambda provider, token: provider.ask(BikesApi).bike(token, "ABCDEFGH23"),
    "service_products": lambda provider, token: provider.ask(WorkOrdersApi).service_products(token, "ABCDEFGH23"),
    "service_requests": lambda provider, token: provider.ask(WorkOrdersApi).service_requests(token),
    "request_document": lambda provider, token: provider.ask(WorkOrdersApi).request_document(token, "ABCDEFGH", "nl"),
    "request_calendar": lambda provider, token: provider.ask(WorkOrdersApi).request_calendar(token, "ABCDEFGH", "nl"),
    "service_request": lambda provider, token: provider.ask(WorkOrdersApi).service_request(token, "S48621851"),
    "changes": lambda provider, token: provider.ask(ChangesApi).changes(token, Watch(topics=[Topic.REQUESTS])),
    "find_subjects": lambda provider, token: provider.ask(FlowApi).find_subjects(
        token, "repair-request", SubjectSearch(text="a", page=2)
    ),
    "flow_start": lambda provider, token: provider.ask(FlowApi).flow_start(token, "repair-request"),
    "open_draft": lambda provider, token: provider.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request")),
    "draft": lambda provider, token: provider.ask(FlowApi).draft(token, "ABCDEFGH23"),
    "save_step": lambda provider, token: provider.ask(FlowApi).save_step(
        token, "ABCDEFGH23", StepEntry(step=REPAIR.address("bike"), answers={"bike": "ABCDEFGH23"}, version=1)
    ),
    "discard_draft": lambda provider, token: provider.ask(FlowApi).discard_draft(token, "ABCDEFGH23"),
    "submit_draft": lambda provider, token: provider.ask(FlowApi).submit_draft(
        token, "ABCDEFGH23", Submission(key="x")
    ),
    "open_phone_link": lambda provider, token: provider.ask(FlowApi).open_phone_link(
        token, "ABCDEFGH23", PhonePlace(field="photos")
    ),
    "phone_link": lambda provider, token: provider.ask(FlowApi).phone_link(token, "ABCDEFGH23"),
    "end_phone_link": lambda provider, token: provider.ask(FlowApi).end_phone_link(token, "ABCDEFGH23"),
    "begin_upload": lambda provider, token: provider.ask(FlowApi).begin_upload(
        token, "ABCDEFGH23", UploadStart(field="photos", name="foto.jpg", size=10)
    ),
    "receive_upload": lambda provider, token: provider.ask(FlowApi).receive_upload(
        token, "ABCDEFGH23", flowing(b"0123456789")
    ),
    "remove_upload": lambda provider, token: provider.ask(FlowApi).remove_upload(token, "ABCDEFGH23"),
    "upload_content": lambda provider, token: provider.ask(FlowApi).upload_content(token, "ABCDEFGH23"),
    "upload_preview": lambda provider, token: provider.ask(FlowApi).upload_preview(token, "ABCDEFGH23"),
    "service_locations": lambda provider, token: provider.ask(LocationsApi).service_locations(
        token, LocationSearch(text="3511 LX")
    ),
    "name_refund_account": lambda provider, token: provider.ask(ReturnsApi).name_refund_account(
        token, OwnRefundAccount(return_id="ABCDEFGH23", holder="S. Bakker", iban="NL91ABNA0417164300")
    ),
    "returns": lambda provider, token: provider.ask(ReturnsApi).returns(token),
    "return_detail": lambda provider, token: provider.ask(ReturnsApi).return_detail(token, "ABCDEFGH23"),
    "cancel_return": lambda provider, token: provider.ask(ReturnsApi).cancel_return(token, "ABCDEFGH23"),
    "resend_return": lambda provider, token: provider.ask(ReturnsApi).resend_return(token, "ABCDEFGH23"),
    "answer_battery": lambda provider, token: provider.ask(ReturnsApi).answer_battery(
        token, BatteryAnswer(return_id="ABCDEFGH23", battery="fine")
    ),
    "return_label": lambda provider, token: provider.ask(ReturnsApi).return_label(token, "ABCDEFGH23", "nl"),
    "return_summary_pdf": lambda provider, token: provider.ask(ReturnsApi).return_summary_pdf(
        token, "ABCDEFGH23", "nl"
    ),
    "withdrawable": lambda provider, token: provider.ask(WithdrawalsApi).withdrawable(token, "900000001"),
    "withdrawable_orders": lambda provider, token: provider.ask(WithdrawalsApi).withdrawable_orders(token),
    "withdraw": lambda provider, token: provider.ask(WithdrawalsApi).withdraw(token, WITHDRAWAL),
    "contracts": lambda provider, token: provider.ask(ContractsApi).contracts(token),
    "contract": lambda provider, token: provider.ask(ContractsApi).contract(token, "ABCD2345"),
    "end_contract": lambda provider, token: provider.ask(ContractsApi).end_contract(token, "ABCD2345", END),
    "confirm_end": lambda provider, token: provider.ask(ContractsApi).confirm_end(token, "ABCD2345"),
    "take_back_end": lambda provider, token: provider.ask(ContractsApi).take_back_end(token, "ABCD2345"),
    "declared": lambda provider, token: provider.ask(WithdrawalsApi).declared(token, "900000001"),
    "confirm_declared": lambda provider, token: provider.ask(WithdrawalsApi).confirm_declared(token, "ABCD2345"),
    "take_back_declared": lambda provider, token: provider.ask(WithdrawalsApi).take_back_declared(token, "ABCD2345"),
    "order_status": lambda provider, token: provider.ask(DeliveriesApi).order_status(token, "900000071"),
    "delivery_dates": lambda provider, token: provider.ask(DeliveriesApi).delivery_dates(token, "900000071"),
    "request_delivery_date": lambda provider, token: provider.ask(DeliveriesApi).request_delivery_date(
        token, "900000071", DateChoice(day="2026-06-09")
    ),
    "resend_delivery_date": lambda provider, token: provider.ask(DeliveriesApi).resend_delivery_date(
        token, "900000072"
    ),
    "cancel_delivery_date": lambda provider, token: provider.ask(DeliveriesApi).cancel_delivery_date(
        token, "900000072"
    ),
    "delivery_date_pdf": lambda provider, token: provider.ask(DeliveriesApi).delivery_date_pdf(
        token, "900000072", "nl"
    ),
    "delivery_calendar": lambda provider, token: provider.ask(DeliveriesApi).delivery_calendar(
        token, "900000071", "nl"
    ),
    "bike_home": lambda provider, token: provider.ask(OverviewApi).bike_home(token, "ABCDEFGH23"),
    "enter_mileage": lambda provider, token: provider.ask(OverviewApi).enter_mileage(
        token, "ABCDEFGH23", MileageEntry(mileage="12,5")
    ),
    "service_packages": lambda provider, token: provider.ask(ServicePackagesApi).service_packages(token, "ABCDEFGH23"),
    "insurance_requests": lambda provider, token: provider.ask(InsuranceApi).insurance_requests(token),
    "insurance_bikes": lambda provider, token: provider.ask(InsuranceApi).insurance_bikes(token),
    "insurance_options": lambda provider, token: provider.ask(InsuranceApi).insurance_options(token, "ABCDEFGH23"),
    "insurance_document": lambda provider, token: provider.ask(InsuranceApi).insurance_document(
        token, "ABCDEFGH23", "nl"
    ),
    "personal_data": lambda provider, token: provider.ask(PrivacyApi).personal_data(token),
    "ask_for_export": lambda provider, token: provider.ask(PrivacyApi).ask_for_export(token),
    "export_content": lambda provider, token: provider.ask(PrivacyApi).export_content(token, "ABCDEFGH23"),
    "request_erasure": lambda provider, token: provider.ask(PrivacyApi).request_erasure(token),
    "confirm_erasure": lambda provider, token: provider.ask(PrivacyApi).confirm_erasure(
        token, ErasureCode(code="123456")
    ),
    "recall": lambda provider, token: provider.ask(RecallsApi).recall(token, "ABCDEFGH23"),
    "recall_picture": lambda provider, token: provider.ask(RecallsApi).recall_picture(token, "ABCDEFGH23"),
    "acknowledge_recall": lambda provider, token: provider.ask(RecallsApi).acknowledge_recall(token, "ABCDEFGH23"),
    "choose_remedy": lambda provider, token: provider.ask(RecallsApi).choose_remedy(
        token, "ABCDEFGH23", RemedyChoice(remedy="repair")
    ),
    "conversation": lambda provider, token: provider.ask(ConversationsApi).conversation(token, "repair", "ABCD2345"),
    "begin_answer": lambda provider, token: provider.ask(ConversationsApi).begin_answer(token, "repair", "ABCD2345"),
    "keep_answer": lambda provider, token: provider.ask(ConversationsApi).keep_answer(
        token, "repair", "ABCD2345", AnswerText(draft_id="ABCDEFGH23", text="Ja")
    ),
    "send_answer": lambda provider, token: provider.ask(ConversationsApi).send_answer(
        token, "repair", "ABCD2345", ANSWER
    ),
    "mark_read": lambda provider, token: provider.ask(ConversationsApi).mark_read(token, "repair", "ABCD2345"),
    "case_conversation": lambda provider, token: provider.ask(StaffConversationsApi).case_conversation(
        token, "repair", "ABCD2345"
    ),
    "send_message": lambda provider, token: provider.ask(StaffConversationsApi).send_message(
        token, "repair", "ABCD2345", MessageEntry(text="Dag", key="message-1")
    ),
    "send_template": lambda provider, token: provider.ask(StaffConversationsApi).send_template(
        token, "repair", "ABCD2345", TEMPLATE
    ),
    "close_question": lambda provider, token: provider.ask(StaffConversationsApi).close_question(
        token, "repair", "ABCD2345"
    ),
    "mark_case_read": lambda provider, token: provider.ask(StaffConversationsApi).mark_case_read(
        token, "repair", "ABCD2345"
    ),
    "begin_message_file": lambda provider, token: provider.ask(StaffConversationsApi).begin_message_file(
        token, "repair", "ABCD2345", "message-1", UploadStart(field="message-files", name="foto.jpg", size=9)
    ),
    "case_templates": lambda provider, token: provider.ask(StaffConversationsApi).case_templates(
        token, "repair", "ABCD2345"
    ),
    "preview_template": lambda provider, token: provider.ask(StaffConversationsApi).preview_template(
        token, "repair", "ABCD2345", TemplateChoice(template="thank-you")
    ),
    "message_file": lambda provider, token: provider.ask(StaffConversationsApi).message_file(
        token, "repair", "ABCD2345", "ABCDEFGH23"
    ),
    "message_preview": lambda provider, token: provider.ask(StaffConversationsApi).message_preview(
        token, "repair", "ABCD2345", "ABCDEFGH23"
    ),
    "message_templates": lambda provider, token: provider.ask(StaffConversationsApi).message_templates(token),
    "change_template": lambda provider, token: provider.ask(StaffConversationsApi).change_template(
        token, "thank-you", TemplateChange(title=TEXTS, text=TEXTS)
    ),
    "webhooks": lambda provider, token: provider.ask(WebhooksApi).webhooks(token),
    "add_webhook": lambda provider, token: provider.ask(WebhooksApi).add_webhook(token, WEBHOOK),
    "change_webhook": lambda provider, token: provider.ask(WebhooksApi).change_webhook(token, "ABCDEFGH23", WEBHOOK),
    "remove_webhook": lambda provider, token: provider.ask(WebhooksApi).remove_webhook(token, "ABCDEFGH23"),
    "rotate_secret": lambda provider, token: provider.ask(WebhooksApi).rotate_secret(token, "ABCDEFGH23"),
    "resume_webhook": lambda provider, token: provider.ask(WebhooksApi).resume_webhook(token, "ABCDEFGH23"),
    "test_webhook": lambda provider, token: provider.ask(WebhooksApi).test_webhook(token, "ABCDEFGH23"),
    "deliveries_of_webhook": lambda provider, token: provider.ask(WebhooksApi).deliveries_of_webhook(
        token, "ABCDEFGH23", DeliverySearch(state=DeliveryState.FAILED)
    ),
    "replay": lambda provider, token: provider.ask(WebhooksApi).replay(
        token, "ABCDEFGH23", Replay(delivery="msg_ABCDEFGH23")
    ),
    "refunds_to_pay": lambda provider, token: provider.ask(ExportsApi).refunds_to_pay(token),
    "enter_refund_account": lambda provider, token: provider.ask(ExportsApi).enter_refund_account(
        token, "ABCD2345", RefundAccount(holder="S. Bakker", iban="NL91ABNA0417164300")
    ),
    "confirm_refunds": lambda provider, token: provider.ask(ExportsApi).confirm_refunds(
        token, ChosenRefunds(references=["ABCD2345"])
    ),
    "record_refunds_paid": lambda provider, token: provider.ask(ExportsApi).record_refunds_paid(
        token, ChosenRefunds(references=["ABCD2345"])
    ),
    "refund_batches": lambda provider, token: provider.ask(ExportsApi).refund_batches(token, 1),
    "export_refunds": lambda provider, token: provider.ask(ExportsApi).export_refunds(
        token, BatchChoice(way=RefundWay.ACCOUNT)
    ),
    "refund_list": lambda provider, token: provider.ask(ExportsApi).refund_list(token, "ABCDEFGH23"),
    "refund_payment": lambda provider, token: provider.ask(ExportsApi).refund_payment(token, "ABCDEFGH23"),
    "insurance_list": lambda provider, token: provider.ask(ExportsApi).insurance_list(token),
    "waiting_exports": lambda provider, token: provider.ask(ExportsApi).waiting_exports(token),
    "resend_insurance": lambda provider, token: provider.ask(InsuranceApi).resend_insurance(token, "ABCD2345"),
    "cancel_insurance": lambda provider, token: provider.ask(InsuranceApi).cancel_insurance(token, "ABCD2345"),
    **WITH_STAFF_SESSION,
}
"""Operations that need a session, of a customer or of staff."""

WITH_PHONE_LINK: dict[str, Operation] = {
    "phone_uploads": lambda provider, token: provider.ask(FlowApi).phone_uploads(token),
    "begin_phone_upload": lambda provider, token: provider.ask(FlowApi).begin_phone_upload(
        token, UploadStart(field="photos", name="foto.jpg", size=10)
    ),
    "receive_phone_upload": lambda provider, token: provider.ask(FlowApi).receive_phone_upload(
        token, "ABCDEFGH23", flowing(b"0123456789")
    ),
    "remove_phone_upload": lambda provider, token: provider.ask(FlowApi).remove_phone_upload(token, "ABCDEFGH23"),
    "phone_preview": lambda provider, token: provider.ask(FlowApi).phone_preview(token, "ABCDEFGH23"),
}
"""Operations that need the link of a telephone."""

ALL: dict[str, Operation] = {
    "request_code": lambda provider, _: provider.ask(LoginApi).request_code(
        CodeRequest(email="sanne@example.com"), ORIGIN
    ),
    "code_delivery": lambda provider, _: provider.ask(LoginApi).code_delivery(ORIGIN),
    "begin_passkey_login": lambda provider, _: provider.ask(PasskeysApi).begin_passkey_login(PAGE, ORIGIN),
    "log_in_with_passkey": lambda provider, _: provider.ask(PasskeysApi).log_in_with_passkey(
        PasskeyAnswer(**NO_ANSWER), ORIGIN
    ),
    "request_lease": lambda provider, _: provider.ask(LoginApi).request_lease(LeaseRequest(lease="BB123456"), ORIGIN),
    "authenticate": lambda provider, _: provider.ask(LoginApi).authenticate(
        CodeEntry(token="123456", challenge="abc"), ORIGIN
    ),
    "logout": lambda provider, token: provider.ask(LoginApi).logout(token),
    "request_password_reset": lambda provider, _: provider.ask(LoginApi).request_password_reset(
        PasswordResetRequest(email="sanne@example.com", order_number="900000001"), ORIGIN
    ),
    "password_link": lambda provider, _: provider.ask(LoginApi).password_link(PasswordLink(hash="abc")),
    "set_password": lambda provider, _: provider.ask(LoginApi).set_password(
        NewPassword(hash="abc", password="Fietsbel-2026!", repeat="Fietsbel-2026!")
    ),
    "log_in": lambda provider, _: provider.ask(LoginApi).log_in(
        PasswordEntry(email="sanne@example.com", order_number="900000001", password="Fietsbel-2026!"), ORIGIN
    ),
    "periods": lambda provider, _: provider.ask(TermsApi).periods("other"),
    "link": lambda provider, _: provider.ask(LinksApi).link(LINK),
    "tracking": lambda provider, _: provider.ask(DeliveriesApi).tracking(TrackingEntry(code="abc")),
    "picture_file": lambda provider, _: provider.ask(PicturesApi).picture_file("0f" * 16, "avif", 480),
    "drawing_file": lambda provider, _: provider.ask(PicturesApi).drawing_file("diamond", "#2f5d46"),
    "confirm_link": lambda provider, _: provider.ask(LinksApi).confirm_link(LINK),
    "resend_link": lambda provider, _: provider.ask(LinksApi).resend_link(LINK),
    "guest_withdrawable": lambda provider, _: provider.ask(WithdrawalsApi).guest_withdrawable(GUEST, ORIGIN),
    "guest_contract": lambda provider, _: provider.ask(ContractsApi).guest_contract(GUEST_CONTRACT, ORIGIN),
    "guest_end": lambda provider, _: provider.ask(ContractsApi).guest_end(GUEST_END, ORIGIN),
    "open_visit": lambda provider, _: provider.ask(LoginApi).open_visit(VisitLink(hash="a" * 43), ORIGIN),
    **WITH_PHONE_LINK,
    "guest_service_locations": lambda provider, _: provider.ask(LocationsApi).guest_service_locations(
        LocationSearch(text="3511 LX"), ORIGIN
    ),
    "guest_withdraw": lambda provider, _: provider.ask(WithdrawalsApi).guest_withdraw(GUEST_WITHDRAWAL, ORIGIN),
    **WITH_SESSION,
    **WITHOUT_STAFF_SESSION,
}
"""All operations."""

READING = frozenset(
    {
        "order_status", "delivery_dates", "delivery_date_pdf", "delivery_calendar", "bike_home", "service_packages",
        "insurance_bikes", "insurance_requests", "insurance_options", "insurance_document", "periods",
        "picture_file", "drawing_file",
        "line_actions", "passkeys",
        "check_session", "customer_info", "dashboard", "orders", "order", "invoices", "invoice", "invoice_pdf",
        "bikes", "bike",
        "service_requests", "service_request", "own_request", "request_document", "request_calendar", "changes",
        "flow_start", "draft", "upload_content", "upload_preview", "phone_link", "phone_uploads", "phone_preview",
        "service_products", "service_locations", "guest_service_locations",
        "returns", "return_detail", "return_label", "return_summary_pdf",
        "withdrawable", "withdrawable_orders", "declared", "contracts", "contract",
        "personal_data", "export_content", "recall", "recall_picture",
        "conversation", "case_conversation", "case_templates", "preview_template", "message_file", "message_preview",
        "staff_files", "staff_file_preview",
        "message_templates",
        "webhooks", "deliveries_of_webhook", "waiting_exports", "refunds_to_pay", "refund_batches", "refund_list",
        "refund_payment", "insurance_list", "case_list",
        "staff_login_ways", "member", "expected_return", "staff_stores", "people", "person",
        "audit", "audit_export", "customer_card",
        "managed_stores", "store_hours", "prices", "price",
        "imports", "import_run", "rejected_records", "rejected_record", "waiting_records", "import_differences",
        "queue", "counts", "case_changes", "case_choices", "case", "case_file", "case_preview", "job_cards",
    }
)  # fmt: skip
"""Operations that change nothing, so that they may be tried again."""
